// Showing an answer: the state, the sentence, warnings, and mistakes beside their knobs.
function show(answer, asked, took) {
  $("results").classList.remove("waiting");
  $("results").removeAttribute("aria-busy");
  mistakes(answer.problems || []);
  if (answer.problems && !controls && !isPlain(view)) { // of a link
    $("trouble").textContent = "These settings of the link cannot run, so this is what the file says. " + $("trouble").textContent;
    view = fresh(view.scenario);
    startTrouble = $("trouble").textContent;
    changed();
    return false;
  }
  if (answer.problems) { note(""); giveBack(answer.problems); return false; }
  good = { scenario: view.scenario, rows: view.rows, faults: view.faults };
  if (answer.controls) { controls = answer.controls; layout(); }
  $("about").textContent = answer.about;
  $("state").replaceChildren(
    answer.preview ? make("span", { class: "badge preview" }, "preview") : make("span", { class: "badge" }, "complete"),
    make("span", null, (answer.preview ? "a short run: " + answer.preview : answer.runs) + " · " + Math.round(took) + " ms"));
  $("state").dataset.took = Math.round(took);
  $("state").dataset.version = asked;
  $("state").dataset.preview = answer.preview || "";
  $("sentence").textContent = answer.sentence;
  $("warnings").replaceChildren(...(answer.warnings || []).map((w) => make("p", { class: "warning" }, make("strong", null, "Warning: "), w)));
  between();
  const before = Boolean(pinned && answer.preview); // the differences of an earlier setting
  fill($("difference"), answer.difference || (!before ? "" : $("difference").querySelector("table") ? null : "<p class='says'>The differences follow when all replications have run.</p>"));
  $("difference").classList.toggle("old", before);
  sides.b = answer;
  if (sides.a && answer.pinned) sides.a.figures = answer.pinned; // on the same scales
  draw();
  if (!answer.preview) $("heard").textContent = "Complete: " + answer.runs + ". " + answer.sentence;
  return true;
}

let startTrouble = "";
function isPlain(v) { return !v.rows && !v.faults && !v.sets.size; }
// A limiter or fault that cannot be added is taken back, because its knobs are not there
// to mend it.
let good = null;
function giveBack(problems) {
  if (!good || good.scenario !== view.scenario || good.rows === view.rows && good.faults === view.faults) return;
  view.rows = good.rows;
  view.faults = good.faults;
  added = "";
  document.querySelectorAll(".mistake").forEach((m) => { m.textContent = ""; });
  layout();
  $("trouble").hidden = false;
  $("trouble").textContent = "Not changed: " + problems.map((p) => p.message).join(" ");
  remember();
}

// fill replaces a part of the page, and keeps how its table is sorted and what is open.
function fill(place, html) {
  if (html === null || place.lastHTML === html) return;
  place.lastHTML = html;
  const open = Array.from(place.querySelectorAll("details"), (d) => d.open);
  const head = place.querySelector("th[aria-sort=ascending], th[aria-sort=descending]");
  const sorted = head && { column: head.cellIndex, order: head.getAttribute("aria-sort") };
  const scrolled = Array.from(place.querySelectorAll(".scroll"), (s) => s.scrollLeft);
  place.innerHTML = html;
  place.dispatchEvent(new Event("added", { bubbles: true }));
  place.querySelectorAll("details").forEach((d, i) => { d.open = Boolean(open[i]); });
  place.querySelectorAll(".scroll").forEach((s, i) => { s.scrollLeft = scrolled[i] || 0; });
  const again = sorted && place.querySelectorAll("table.sortable thead th")[sorted.column];
  for (let i = 0; again && i < 2 && again.getAttribute("aria-sort") !== sorted.order; i++) again.querySelector("button").click();
}

// Mistakes are shown beside the knob that they are about.
function mistakes(list) {
  document.querySelectorAll(".mistake").forEach((m) => { m.textContent = ""; });
  document.querySelectorAll(".exploring [aria-invalid]").forEach((e) => e.removeAttribute("aria-invalid"));
  const rest = [];
  list.forEach((p) => {
    let best = null;
    knobs.forEach((k, path) => {
      if (k.place.isConnected && p.path && (p.path === path || p.path.startsWith(path + ".") || p.path.startsWith(path + ":")) && (!best || path.length > best.knob.path.length)) best = k;
    });
    if (!best && lastMoved && knobs.has(lastMoved)) best = knobs.get(lastMoved);
    if (!best) { rest.push((p.path ? p.path + ": " : "") + p.message); return; }
    best.mistake.textContent = (p.path && p.path !== best.knob.path ? p.path + ": " : "") + p.message;
    best.inputs.forEach((e) => e.setAttribute("aria-invalid", "true"));
  });
  $("trouble").hidden = rest.length === 0 && !startTrouble;
  $("trouble").textContent = rest.join(" ") || startTrouble;
}
