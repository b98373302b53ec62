// The view: a scenario, and what differs from the file. sets maps paths to values in the
// order in which they were set, because a menu decides which knobs there are.
function fresh(scenario) { return { scenario: scenario, rows: null, faults: null, sets: new Map() }; }
let view = fresh(start.first);
let pinned = null;
let controls = null;

function asJSON(v) {
  const out = { scenario: v.scenario };
  if (v.rows) out.rows = v.rows;
  if (v.faults && v.faults.length) out.faults = v.faults;
  if (v.faults && !v.faults.length) out.nofaults = true;
  if (v.sets.size) out.sets = Array.from(v.sets);
  return out;
}
function copyOf(v) { return { scenario: v.scenario, rows: v.rows && v.rows.slice(), faults: v.faults && v.faults.slice(), sets: new Map(v.sets) }; }
function write(v) {
  const p = new URLSearchParams();
  p.append("scenario", v.scenario);
  (v.rows || []).forEach((r) => p.append("row", r));
  if (v.faults && !v.faults.length) p.append("nofaults", "");
  (v.faults || []).forEach((f) => p.append("fault", f));
  v.sets.forEach((value, path) => p.append("set", path + "=" + value));
  return p;
}
function read(p) {
  const name = p.get("scenario");
  const v = fresh(start.scenarios.includes(name) ? name : start.first);
  if (p.has("row")) v.rows = p.getAll("row");
  if (p.has("nofaults")) v.faults = [];
  if (p.has("fault")) v.faults = p.getAll("fault");
  p.getAll("set").forEach((s) => { const i = s.indexOf("="); if (i > 0) v.sets.set(s.slice(0, i), s.slice(i + 1)); });
  return v;
}
function link() {
  const p = write(view);
  if (pinned) p.append("pinned", write(pinned).toString());
  return "#" + p.toString();
}
function remember() { history.replaceState(null, "", link()); }
function restore() {
  const p = new URLSearchParams(location.hash.slice(1));
  view = read(p);
  pinned = p.has("pinned") ? read(new URLSearchParams(p.get("pinned"))) : null;
  controls = null;
  knobs.clear();
  pinChanged();
  $("scenario").value = view.scenario;
  changed();
}
