// Puts above the table of all types what chooses among its rows. Without scripts the whole table is there.
document$.subscribe(() => {
  const table = document.querySelector("table.types");
  if (!table || document.querySelector(".types-tools")) return;
  const rows = [...table.tBodies[0].rows].map((row) => ({
    row,
    from: row.cells[0].textContent,
    to: row.cells[2].textContent,
    verdict: row.cells[4].textContent,
    text: row.textContent.toLowerCase(),
  }));
  const words = (key) => [...new Set(rows.map((row) => row[key]))];
  const tools = document.createElement("form");
  tools.className = "types-tools";
  tools.setAttribute("role", "search");
  tools.setAttribute("aria-label", "Choose among the types");
  const add = (parent, tag, properties) => parent.appendChild(Object.assign(document.createElement(tag), properties));
  const choice = (text, key) => {
    const label = add(tools, "label", {textContent: text + " "});
    const select = add(label, "select", {name: key});
    add(select, "option", {value: "", textContent: "any system"});
    for (const word of words(key)) add(select, "option", {value: word, textContent: word});
    return select;
  };
  const from = choice("From", "from");
  const to = choice("to", "to");
  const label = add(tools, "label", {textContent: "Types, rules "});
  const find = add(label, "input", {type: "search", name: "find", placeholder: "decimal, timestamp, unit.coarser"});
  const verdicts = add(tools, "fieldset", {});
  add(verdicts, "legend", {textContent: "Verdicts"});
  const order = ["exact", "annotated", "widened", "inferred", "checked", "lossy", "unsupported"];
  const boxes = order.filter((word) => words("verdict").includes(word)).map((word) => {
    const box = add(verdicts, "label", {className: "verdict " + word});
    const input = add(box, "input", {type: "checkbox", name: word, checked: true});
    box.append(" " + word);
    return input;
  });
  const count = add(tools, "output", {});
  count.setAttribute("aria-live", "polite");
  const show = () => {
    const shown = new Set(boxes.filter((box) => box.checked).map((box) => box.name));
    const asked = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let number = 0;
    for (const {row, ...cell} of rows) {
      row.hidden = !((!from.value || cell.from === from.value) && (!to.value || cell.to === to.value) &&
                     shown.has(cell.verdict) && asked.every((word) => cell.text.includes(word)));
      number += row.hidden ? 0 : 1;
    }
    count.textContent = `${number} of ${rows.length} shown`;
    // The address keeps the choice, so that it can be sent to somebody.
    const kept = new URLSearchParams();
    for (const field of [from, to, find]) if (field.value) kept.set(field.name, field.value);
    if (shown.size < boxes.length) kept.set("verdicts", [...shown].join(" "));
    history.replaceState(null, "", `${location.pathname}${kept.size ? "?" + kept : ""}${location.hash}`);
  };
  const asked = new URLSearchParams(location.search);
  for (const field of [from, to, find]) field.value = asked.get(field.name) || "";
  if (asked.has("verdicts")) for (const box of boxes) box.checked = asked.get("verdicts").split(" ").includes(box.name);
  tools.addEventListener("input", show);
  tools.addEventListener("submit", (event) => event.preventDefault());
  table.parentElement.before(tools);
  show();
});
