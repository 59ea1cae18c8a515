#pragma once

#include <string_view>

// What every page of report_html carries in itself.

namespace xwalk::crosswalk {

inline constexpr std::string_view kPageStyle =
    R"css(:root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--ink:#1b1f27;--soft:#5b6472;--faint:#8b93a1;--rule:#e3e6eb;--guide:#d9dde4;--code:#f1f3f6;
--green:#1a7f4b;--blue:#1f6feb;--violet:#7a4fd0;--amber:#a76300;--red:#c9302c;--crimson:#8f1046;--grey:#8b93a1;
--mono:ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
@media (prefers-color-scheme:dark){:root{--bg:#0f1216;--card:#171b21;--ink:#e7eaef;--soft:#a2abb9;--faint:#76808f;--rule:#272d36;--guide:#333b46;--code:#20262e;
--green:#43c07f;--blue:#69a5ff;--violet:#b59bff;--amber:#e3a63a;--red:#ff7b72;--crimson:#ff6aa8;--grey:#76808f}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
header,main,footer{max-width:80rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:2rem}
.eyebrow{margin:0;color:var(--faint);font-size:.8rem;letter-spacing:.06em;text-transform:uppercase}
h1{margin:.15rem 0 .6rem;font-size:1.6rem;line-height:1.25;font-weight:650;overflow-wrap:anywhere}
h1 .to{color:var(--faint);font-weight:400;padding:0 .15em}
.system{display:inline-block;vertical-align:.12em;font:600 .8rem/1 var(--mono);padding:.32em .5em;border-radius:.4em;background:var(--code);color:var(--soft)}
.sum{margin:0 0 1rem;color:var(--soft);overflow-wrap:anywhere}
.note{margin:-.6rem 0 1rem;color:var(--soft)}
.bar{display:flex;gap:2px;height:.6rem;margin:0 0 .9rem;border-radius:1rem;overflow:hidden}
.bar i{display:block;min-width:4px;background:var(--c)}
.tools{display:flex;flex-wrap:wrap;gap:.45rem;align-items:center;margin-bottom:1.1rem}
.pick{position:absolute;opacity:0;pointer-events:none}
.chip{display:inline-flex;gap:.45em;align-items:center;padding:.28em .75em;border:1px solid var(--rule);border-radius:2em;background:var(--card);font-size:.86rem;cursor:pointer;user-select:none;color:var(--faint)}
.chip::before{content:"";width:.62em;height:.62em;border-radius:50%;border:2px solid var(--c)}
.chip b{font-weight:600;font-variant-numeric:tabular-nums}
.find{margin-left:auto;display:flex;gap:.6rem;align-items:center;color:var(--soft);font-size:.86rem}
.find[hidden]{display:none}
.find input{font:inherit;color:inherit;padding:.32em .9em;border:1px solid var(--rule);border-radius:2em;background:var(--card);width:15rem;max-width:100%}
.find input:focus,.chip:focus{outline:2px solid var(--blue);outline-offset:1px}
.sheet{background:var(--card);border:1px solid var(--rule);border-radius:.8rem;overflow:clip;box-shadow:0 1px 3px rgb(0 0 0/.05)}
.heads,.line{display:grid;grid-template-columns:minmax(0,1fr) 10rem minmax(0,1fr)}
.heads{position:sticky;top:0;z-index:1;background:var(--card);border-bottom:1px solid var(--rule);font-size:.82rem;color:var(--soft)}
.heads>*{padding:.6rem 1rem;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.n{display:none}
.stored{--c:var(--grey)}
.n.out{display:none!important}
.line{border-top:1px solid var(--rule);list-style:none;position:relative}
.heads+.n>.line{border-top:0}
summary.line{cursor:pointer}
summary.line::-webkit-details-marker{display:none}
.line:hover{background:color-mix(in srgb,var(--c) 5%,transparent)}
.side{padding:.5rem 1rem .5rem calc(1rem + min(var(--d)*1.25rem,35%));min-width:0;overflow-wrap:anywhere;background:repeating-linear-gradient(90deg,var(--guide) 0 1px,transparent 1px 1.25rem) 1.35rem 0/calc(min(var(--d)*1.25rem,35%)) 100% no-repeat}
.side .name{font-weight:600;margin-right:.6em}
.side .fold{display:inline-block;width:.9em;margin-left:-.9em;color:var(--faint);transform:none;font-size:.8em}
summary .fold::before{content:"▸"}
details[open]>summary .fold::before{content:"▾"}
.side .type{font:.86rem/1.5 var(--mono);color:var(--soft)}
.side.none{color:var(--faint)}
.side.none::before{content:"—"}
.join{display:flex;align-items:center;align-self:start;height:2.5rem;color:var(--c)}
.join::before,.join::after{content:"";flex:1;height:2px;background:var(--c);opacity:.55;min-width:.5rem}
.join .dot{display:none}
.pill{padding:.12em .7em;border:1.5px solid var(--c);border-radius:2em;font-size:.78rem;font-weight:600;white-space:nowrap;background:color-mix(in srgb,var(--c) 9%,var(--card))}
.quiet .pill{border-color:transparent;background:none;font-weight:500}
.quiet .join::before,.quiet .join::after{opacity:.3}
.only-left .join::after,.only-right .join::before{background:none;border-top:2px dotted var(--c);height:0}
.why{grid-column:1/-1;list-style:none;margin:0;padding:0 1rem .7rem calc(1rem + min(var(--d)*1.25rem,35%))}
.why li{margin:.15rem 0;padding:.1rem 0 .1rem .75rem;border-left:3px solid var(--c);font-size:.88rem;color:var(--soft);overflow-wrap:anywhere}
.rule{font:600 .8rem var(--mono);color:var(--c);margin-right:.4em}
.why code,.legend code{font:.82rem var(--mono);background:var(--code);padding:.1em .35em;border-radius:.3em;overflow-wrap:anywhere}
.hint::before{content:"→ "}
.hint{color:var(--ink)}
.empty{padding:1.2rem 1rem;color:var(--soft);margin:0}
footer{padding-top:1.4rem;padding-bottom:3rem;color:var(--faint);font-size:.84rem}
.legend dl{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1rem;margin:.6rem 0}
.legend dt{color:var(--c);font-weight:600}
.legend dd{margin:0;color:var(--soft)}
.legend summary{cursor:pointer}
@media (max-width:46rem){
body{font-size:16px}
header{padding-top:1.1rem}
header,footer{padding-left:1rem;padding-right:1rem}
main{padding:0}
h1{font-size:1.3rem}
.sheet{border-radius:0;border-left:0;border-right:0}
.heads{display:none}
.find{margin-left:0;width:100%}
.find input{width:100%}
.line{grid-template-columns:minmax(0,1fr) auto;border-left:4px solid var(--c);padding:.5rem .9rem .55rem .8rem;row-gap:.1rem}
.line.quiet{border-left-color:color-mix(in srgb,var(--c) 45%,transparent)}
.side{padding:0 0 0 min(var(--d)*.75rem,30vw);background:none}
.side .fold{margin-left:0;width:1em}
.join{grid-column:2;grid-row:1;height:auto;padding-left:.6rem}
.join::before,.join::after{display:none}
.left{grid-column:1;grid-row:1}
.right{grid-column:1/-1}
.right::before{content:"→ ";color:var(--c);font-weight:600}
.right.none,.left.none{min-height:1.5em}
.right.none{display:none}
.left.none::before{content:"new"}
.right.same .name{display:none}
.side .type{display:inline;font-size:.84rem}
.why{padding:.25rem 0 .1rem min(var(--d)*.75rem,30vw)}
}
@media print{
:root{color-scheme:light}
body{background:#fff;font-size:10pt}
.tools,.fold,.eyebrow{display:none!important}
.sheet{border:0;box-shadow:none;overflow:visible}
.heads{position:static}
.line{break-inside:avoid}
.join,.pill,.bar i,.why li{print-color-adjust:exact;-webkit-print-color-adjust:exact}
})css";

/// Adds search. Not a byte more stands between the tags: the page allows the script by its hash.
inline constexpr std::string_view kPageScript = R"js((()=>{
const box=document.querySelector(".find"),q=box.querySelector("input"),out=box.querySelector("output");
const all=[...document.querySelectorAll(".n")],text=all.map(n=>n.querySelector(".line").textContent.toLowerCase());
box.hidden=false;
q.addEventListener("input",()=>{
const w=q.value.trim().toLowerCase();
let hits=0;
all.forEach(n=>n.classList.toggle("out",w!==""));
if(w)all.forEach((n,i)=>{
if(!text[i].includes(w))return;
hits++;
for(let p=n;p;p=p.parentElement.closest(".n"))p.classList.remove("out");
});
out.textContent=w?hits+" found":"";
});
})();)js";

/// SHA-256 of the script in base64; the browser's test and tests/crosswalk fail when it is stale.
inline constexpr std::string_view kPageScriptHash = "l2Gx0zwh/iJlysoXitEMygPKGobXMTSYPKV87OS/NmA=";

}  // namespace xwalk::crosswalk
