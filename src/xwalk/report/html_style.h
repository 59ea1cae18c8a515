#pragma once

#include <string_view>

// What every page of a report carries in itself.

namespace xwalk::report {

inline constexpr std::string_view kPageStyle =
    R"css(:root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--ink:#1b1f27;--soft:#4d5664;--faint:#5f6875;--rule:#e3e6eb;--guide:#d9dde4;--code:#f1f3f6;
--green:#17703f;--blue:#1a5fd0;--violet:#6f44c6;--amber:#8a5200;--red:#b92522;--crimson:#8f1046;--grey:#5f6875;
--mono:ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
@media (prefers-color-scheme:dark){:root{--bg:#0f1216;--card:#171b21;--ink:#e7eaef;--soft:#aeb7c4;--faint:#98a2b1;--rule:#272d36;--guide:#333b46;--code:#20262e;
--green:#43c07f;--blue:#7db1ff;--violet:#bba3ff;--amber:#e3a63a;--red:#ff8a82;--crimson:#ff7db3;--grey:#98a2b1}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
header,main,footer{max-width:60rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:2rem}
.eyebrow{margin:0;color:var(--faint);font-size:.8rem;letter-spacing:.06em;text-transform:uppercase}
h1{margin:.15rem 0 .5rem;font-size:1.3rem;line-height:1.3;font-weight:600;overflow-wrap:anywhere}
h1 small{font-size:.72em;font-weight:400;color:var(--faint)}
h1 .to{color:var(--faint);font-weight:400;padding:0 .15em}
h2{font-size:1.1rem;margin:2rem 0 .4rem;overflow-wrap:anywhere}
.system{display:inline-block;vertical-align:.12em;font:600 .8rem/1 var(--mono);padding:.32em .5em;border-radius:.4em;background:var(--code);color:var(--soft)}
.lead{margin:0 0 1rem;font-size:1.45rem;line-height:1.35;font-weight:600;max-width:60rem;overflow-wrap:anywhere}
.sum,.note{margin:0 0 .8rem;color:var(--soft);overflow-wrap:anywhere}
.bar{display:flex;gap:2px;height:.5rem;margin:0 0 .9rem;border-radius:1rem;overflow:hidden}
.bar i{display:block;min-width:4px;background:var(--c)}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.pick{position:absolute;opacity:0;pointer-events:none}
.legend{border-collapse:collapse;font-size:.9rem}
.legend th,.legend td{padding:.18rem 1.2rem .18rem 0;text-align:left;vertical-align:baseline;font-weight:400;color:var(--soft)}
.legend thead th{font-size:.8rem;color:var(--faint)}
.legend .count{text-align:right;font-variant-numeric:tabular-nums}
.legend td.count{color:var(--ink)}
.chip{display:inline-flex;gap:.5em;align-items:center;color:var(--c);font-weight:600;cursor:pointer;user-select:none;border-radius:.3em;white-space:nowrap}
.box{flex:none;width:1.15em;height:1.15em;border:2px solid var(--c);border-radius:.25em;font:700 .8rem/1.05em var(--mono);text-align:center}
.fine{margin:.3rem 0 1rem;font-size:.8rem;color:var(--faint)}
.tools{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:center;margin-bottom:.8rem;font-size:.86rem;color:var(--soft)}
.order label{display:inline-block;padding:.2em .7em;border:1px solid var(--rule);border-radius:2em;background:var(--card);cursor:pointer}
#worst:checked~header label[for=worst],#schema:checked~header label[for=schema]{border-color:var(--ink);color:var(--ink);font-weight:600}
#worst:focus-visible~header label[for=worst],#schema:focus-visible~header label[for=schema]{outline:2px solid var(--blue);outline-offset:1px}
.find{margin-left:auto;display:flex;gap:.6rem;align-items:center}
.find[hidden],.find output:empty{display:none}
.find input{font:inherit;color:inherit;padding:.32em .9em;border:1px solid var(--faint);border-radius:2em;background:var(--card);width:15rem;max-width:100%}
.find input::placeholder{color:var(--faint);opacity:1}
.find input:focus,summary:focus-visible,.fold:focus-visible,a:focus-visible{outline:2px solid var(--blue);outline-offset:1px}
.sheet{display:flex;flex-direction:column;background:var(--card);border:1px solid var(--rule);border-radius:.8rem;overflow:clip;box-shadow:0 1px 3px rgb(0 0 0/.05)}
.sheet thead{display:block;order:-1;position:sticky;top:0;z-index:1;background:var(--card)}
.sheet tbody{display:block}
#schema:checked~main .n{order:var(--o)}
.many .n{content-visibility:auto;contain-intrinsic-size:auto 2.6rem}
.heads,.line{display:grid;grid-template-columns:minmax(0,1.9fr) 7.5rem minmax(0,1.1fr)}
.heads{border-bottom:1px solid var(--rule);font-size:.82rem;color:var(--soft)}
.heads th{padding:.6rem 1rem;font-weight:400;text-align:left;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.heads th:nth-child(2){text-align:center}
.n>.line{display:none;border-top:1px solid var(--rule);position:relative}
.stored{--c:var(--grey)}
.line.out,.n:has(.fold:not(:checked)) .deep:not(.hit){display:none!important}
.line:hover{background:color-mix(in srgb,var(--c) 5%,transparent)}
.line td{padding:0}
.line .side{padding:.5rem 1rem .5rem calc(1rem + min(var(--d)*1.25rem,35%));min-width:0;overflow-wrap:anywhere;background:repeating-linear-gradient(90deg,var(--guide) 0 1px,transparent 1px 1.25rem) 1.35rem 0/calc(min(var(--d)*1.25rem,35%)) 100% no-repeat}
.side{display:grid;grid-template-columns:minmax(0,5fr) minmax(0,7fr);column-gap:.8rem;align-items:baseline}
.side.right,.side.none,.side.untyped{grid-template-columns:minmax(0,1fr)}
.side.right.same>span{display:none}
.side .name{font-weight:600}
.several{grid-column:1/-1;font-size:.86rem;color:var(--soft)}
.fold{appearance:none;width:1em;height:1em;margin:0 .2em 0 -.2em;vertical-align:-.1em;color:var(--faint);cursor:pointer;font-size:.8em;line-height:1}
.fold::before{content:"▸"}
.fold:checked::before{content:"▾"}
.side .type{font:.86rem/1.5 var(--mono);color:var(--soft)}
.side.none{color:var(--faint)}
.side.none::before{content:"—"}
.join{display:flex;align-items:center;justify-content:center;align-self:start;height:2.5rem;color:var(--c)}
.pill{padding:.12em .7em;border:1.5px solid var(--c);border-radius:2em;font-size:.78rem;font-weight:600;white-space:nowrap;background:color-mix(in srgb,var(--c) 6%,var(--card))}
.quiet .pill{border-color:transparent;background:none;font-weight:500}
.line .why{grid-column:1/-1;padding:0 1rem .6rem calc(1rem + min(var(--d)*1.25rem,35%));font-size:.88rem;color:var(--soft)}
.why ul{list-style:none;margin:0;padding:0}
.why li{margin:.15rem 0;padding:.1rem 0 .1rem .75rem;border-left:3px solid var(--c);overflow-wrap:anywhere}
.why summary{cursor:pointer;width:fit-content;font:600 .8rem var(--mono);color:var(--c)}
.rule{font:600 .8rem var(--mono);color:var(--c);margin-right:.25em}
.why code{font:.82rem var(--mono);background:var(--code);padding:.1em .35em;border-radius:.3em;overflow-wrap:anywhere;color:var(--ink)}
.hint::before{content:"→ "}
.hint{color:var(--ink)}
.empty{padding:1.2rem 1rem;color:var(--soft)}
footer{padding-top:1.4rem;padding-bottom:3rem;font-size:.9rem}
.file>summary{cursor:pointer;margin:1.6rem 0 .4rem}
.file>summary h2{display:inline;margin:0}
.verdict{color:var(--c);font-weight:600;margin-left:.5em}
.wide{overflow-x:auto}
.wide>details>summary{cursor:pointer;margin:-1rem 0 1rem;color:var(--soft);font-size:.9rem}
.rows{border-collapse:collapse;min-width:100%;margin:0 0 1.6rem;font-size:.9rem;background:var(--card)}
.rows caption{text-align:left;font-weight:600;padding:.4rem 0;background:var(--bg)}
.rows th,.rows td{padding:.35rem .7rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--rule);overflow-wrap:anywhere;min-width:5rem;font-weight:400}
.rows thead th{color:var(--soft);font-size:.82rem}
.bars td,.rows thead .count{white-space:nowrap}
.rows .count{text-align:right;font-variant-numeric:tabular-nums;min-width:3.5rem}
.rows code{font:.82rem var(--mono)}
.rows .removed{--c:var(--red)}
.rows .added{--c:var(--green)}
.rows .changed{--c:var(--amber)}
.rows em{color:var(--c);font-style:normal;font-weight:600}
.rows .again .count{color:transparent}
.part{display:inline-block;width:10rem;height:.6rem;background:var(--code);vertical-align:middle}
.part i{display:block;height:100%;min-width:2px;background:var(--amber);print-color-adjust:exact;-webkit-print-color-adjust:exact}
.columns{display:block;width:7rem;height:.5rem;border-radius:.25rem}
.rules dt{font:600 .85rem var(--mono);scroll-margin-top:1rem}
.rules dt:target{text-decoration:underline}
.rules dd{margin:.1rem 0 .8rem;color:var(--soft);max-width:52rem}
@media (max-width:46rem){
body{font-size:16px}
header{padding-top:1.1rem}
header,footer{padding-left:1rem;padding-right:1rem}
main{padding:0}
main h2,main .sum,main .note,main>.legend,.wide{padding-left:1rem;padding-right:1rem}
.file>summary{padding:0 1rem}
.file>summary h2{padding:0}
h1{font-size:1.05rem}
.lead{font-size:1.2rem}
.legend td:last-child{display:block;grid-column:1/-1;padding:0 0 .4rem 1.7rem}
.legend thead th:last-child{display:none}
.legend,.legend thead,.legend tbody{display:block}
.legend tr{display:grid;grid-template-columns:1fr auto auto}
.legend .count{padding-right:.4rem;min-width:4.2rem}
.inputs tr{grid-template-columns:auto auto 1fr}
.inputs th:first-child{grid-column:1/-1;overflow-wrap:anywhere}
.inputs td:last-child{padding-left:0}
.sheet{border-radius:0;border-left:0;border-right:0}
.sheet thead{display:none}
.find{margin-left:0;width:100%}
.find input{width:100%}
.line{grid-template-columns:minmax(0,1fr) auto;border-left:4px solid var(--c);padding:.5rem .9rem .55rem .8rem;row-gap:.1rem}
.line.quiet{border-left-color:color-mix(in srgb,var(--c) 45%,transparent)}
.line .side{padding:0 0 0 min(var(--d)*.75rem,30vw);background:none}
.join{grid-column:2;grid-row:1;height:auto;padding-left:.6rem}
.line .join{padding-left:.6rem}
.left{grid-column:1;grid-row:1}
.right{grid-column:1/-1}
.right::before{content:"→ ";color:var(--c);font-weight:600}
.right.none,.left.none{min-height:1.5em}
.right.none,.right.same.untyped{display:none}
.part{width:6rem}
.left.none::before{content:"new"}
.line .side,.several{display:block}
.side .type{font-size:.84rem}
.line .why{padding:.25rem 0 .1rem min(var(--d)*.75rem,30vw)}
}
@media print{
:root{color-scheme:light}
body{background:#fff;font-size:10pt}
.tools,.why summary,.fold,.eyebrow{display:none!important}
.sheet{display:block;border:0;box-shadow:none;overflow:visible}
.sheet thead{position:static}
.many .n{content-visibility:visible}
details::details-content{content-visibility:visible;block-size:auto}
.n:has(.fold:not(:checked)) .deep.model:not(.hit){display:grid!important}
.side{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}
.heads,.line{grid-template-columns:minmax(0,2.2fr) 6rem minmax(0,1fr)}
.wide{overflow:visible}
.rows th,.rows td{min-width:4.4rem}
.line .side{padding-left:calc(1rem + min(var(--d)*.6rem,20%));background:none}
.line,.rules dd,.legend tr{break-inside:avoid}
h2,.file>summary{break-after:avoid}
.join,.pill,.bar i,.why li,.box{print-color-adjust:exact;-webkit-print-color-adjust:exact}
})css";

/// Adds search. The text between the tags is exactly the script, because the page allows it by its
/// hash.
inline constexpr std::string_view kPageScript = R"js((()=>{
const box=document.querySelector(".find"),q=box.querySelector("input"),out=box.querySelector("output");
const all=[...document.querySelectorAll(".line")],text=all.map(n=>n.textContent.toLowerCase());
const depth=all.map(n=>+n.style.getPropertyValue("--d"));
box.hidden=false;
q.addEventListener("input",()=>{
const w=q.value.trim().toLowerCase();
let hits=0;
all.forEach(n=>{n.classList.toggle("out",w!=="");n.classList.remove("hit")});
if(w)all.forEach((n,i)=>{
if(!text[i].includes(w))return;
hits++;
for(let j=i,d=depth[i]+1;j>=0&&d>0&&all[j].parentElement===n.parentElement;j--)
if(depth[j]<d){all[j].classList.remove("out");all[j].classList.add("hit");d=depth[j];}
});
out.textContent=w?hits+" found":"";
});
})();)js";

/// SHA-256 of the script in base64; the browser's test and tests/crosswalk fail when it is stale.
inline constexpr std::string_view kPageScriptHash = "yVvYo8GHnK71MTomGmRAO824J7q+ztOdqsOKSD2oDyQ=";

}  // namespace xwalk::report
