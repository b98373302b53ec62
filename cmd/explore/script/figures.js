// The tables and figures, of one setting or of two side by side.

// Figures that are folded are not drawn, which makes answers quicker.
const shownFigures = new Map([["timeline", true], ["accuracy", true], ["frontier", true]]);
function wanted() { return Array.from(shownFigures.keys()).filter((name) => shownFigures.get(name)); }
function figureSlot(name, title) {
  const s = slot(null, name);
  if (!s.fold) {
    s.fold = make("details", { class: "figure" }, make("summary", null, title), s.pair);
    s.fold.open = Boolean(shownFigures.get(name));
    s.fold.addEventListener("toggle", () => {
      if (shownFigures.get(name) === s.fold.open) return;
      shownFigures.set(name, s.fold.open);
      if (!s.fold.open) return;
      if (pinned) pinChanged();
      whole = true;
      pump();
    });
  }
  s.fold.firstChild.textContent = title; // that of a preview may be another
  if (s.fold.parentNode !== $("figures")) $("figures").append(s.fold);
  return s;
}

const sides = { a: null, b: null };
const slots = new Map();
function slot(parent, name) {
  let s = slots.get(name);
  if (!s) {
    s = { pair: make("div", { class: "pair" }), a: make("div", { class: "side a" }), b: make("div", { class: "side b" }) };
    s.pair.append(s.a, s.b);
    slots.set(name, s);
  }
  if (parent && s.pair.parentNode !== parent) parent.append(s.pair);
  return s;
}
function draw() {
  const two = Boolean(pinned);
  $("results").classList.toggle("two", two);
  const b = sides.b, a = two ? sides.a : null;
  if (!b) return;
  const head = (letter, v) => "<h2><span class='letter " + letter + "'>" + letter.toUpperCase() + "</span> " + (letter === "a" ? "pinned" : "now") + "</h2>";
  const t = slot($("tables"), "table");
  t.pair.classList.add("tables");
  const named = (x, side) => x.table.replace(/<caption[^>]*>/, "$&" + side + ": ");
  fill(t.a, a ? head("a") + named(a, "A, pinned") : "");
  fill(t.b, two ? head("b") + named(b, "B, now") : b.table);
  t.a.hidden = !a;
  const names = [];
  [b, a].forEach((x) => x && x.figures.forEach((f) => { if (!names.includes(f.name)) names.push(f.name); }));
  slots.forEach((s, name) => { if (name !== "table" && !names.includes(name)) { (s.fold || s.pair).remove(); slots.delete(name); } });
  brief();
  names.forEach((name) => {
    const find = (x) => x && x.figures.find((f) => f.name === name);
    const s = figureSlot(name, (find(b) || find(a)).title);
    const of = (x) => { const f = find(x); return f ? f.html || (s.fold.open ? null : "") : ""; };
    const with_ = (h, x) => { const html = of(x); return html === null ? null : h + html; };
    fill(s.a, a ? with_(head("a"), a) : "");
    fill(s.b, with_(two ? head("b") : "", b));
    s.a.hidden = !a;
  });
}

// brief says the first figure of each row where the results are out of sight.
function brief() {
  const head = $("tables").querySelector(".b thead th:nth-child(2)");
  const rows = Array.from($("tables").querySelectorAll(".b table.sortable tbody:last-of-type tr"));
  rows.sort((x, y) => Number(y.cells[1].dataset.sort) - Number(x.cells[1].dataset.sort)); // the largest first
  const words = rows.map((r) => r.cells[0].firstChild.textContent.trim() + " " + r.cells[1].firstChild.textContent);
  $("brief-text").textContent = head ? head.textContent.trim() + ": " + words.join(", ") : "";
}
