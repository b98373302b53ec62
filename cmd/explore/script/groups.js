// layout makes the groups of knobs. What is rarely moved is folded, and made when it is
// opened.
const opened = new Map();
function folded(key, summary, isOpen, build, className) {
  const d = make("details", { class: className }, make("summary", null, ...[].concat(summary)));
  let built = false;
  const open = () => { if (!built && d.open) { built = true; build(d); } };
  d.addEventListener("toggle", () => { opened.set(key, d.open); open(); });
  d.open = opened.has(key) ? opened.get(key) : isOpen;
  open();
  return d;
}
function fillGroup(into, list, key) {
  const main = list.filter((k) => k.main || view.sets.has(k.path)), more = list.filter((k) => !main.includes(k));
  main.forEach((k) => into.append(place(k).place));
  if (!main.length) { more.forEach((k) => into.append(place(k).place)); return; }
  const named = more.slice(0, more.length > 4 ? 3 : 4).map((k) => k.label).join(", ") + (more.length > 4 ? " and " + (more.length - 3) + " others" : "");
  if (more.length) into.append(folded(key + "/more", "more: " + named, false, (d) => more.forEach((k) => d.append(place(k).place)), "more"));
}
function group(g, isOpen) {
  const list = controls.knobs.filter((k) => k.group === g.id);
  const inside = g.id.startsWith("limiter:"); // where the list is to stay short
  const d = folded(view.scenario + "/" + g.id, [g.title, g.doc && !inside ? make("span", { class: "what" }, " — " + g.doc) : ""], isOpen, (d) => {
    if (g.doc && inside) d.append(make("p", { class: "says" }, g.doc));
    fillGroup(d, list, view.scenario + "/" + g.id);
    if (!list.length) d.append(make("p", { class: "says" }, "It has no settings here."));
  }, "group");
  d.dataset.group = g.id;
  return d;
}
// adding is a menu with a button, because the arrow keys choose in a menu step by step.
function adding(menu, add) {
  const button = make("button", { type: "button", id: menu.id + "-now", "aria-label": "add the chosen " + menu.getAttribute("aria-label").replace(" to add", ""), onclick: () => { if (menu.value) add(menu.value); else menu.focus(); } }, "Add");
  return make("div", { class: "adding" }, menu, button);
}
// added is the group that the reader has just added, which is to be seen.
let added = "";
function layout() {
  const focus = document.activeElement && document.activeElement.id;
  knobs.forEach((k, path) => { if (!controls.knobs.some((c) => c.path === path)) knobs.delete(path); });
  const of = (prefix) => controls.groups.filter((g) => g.id.startsWith(prefix));
  const parts = [];
  const first = (g) => controls.knobs.some((k) => k.group === g.id && k.main);
  of("traffic:").concat(of("policy"), of("fleet")).forEach((g) => parts.push(group(g, first(g))));
  parts.push(rowsGroup(of("limiter:")), faultsGroup(of("fault:")));
  of("guard").concat(of("retries"), of("run")).forEach((g) => parts.push(group(g, false)));
  $("groups").replaceChildren(...parts);
  find();
  if (focus && $(focus) && document.activeElement !== $(focus)) $(focus).focus({ preventScroll: true });
  const arrived = added && Array.from(document.querySelectorAll("[data-group]")).find((d) => d.dataset.group === added);
  if (arrived) {
    arrived.scrollIntoView({ block: "nearest" });
    arrived.querySelector("summary").focus({ preventScroll: true });
  }
  added = "";
}
