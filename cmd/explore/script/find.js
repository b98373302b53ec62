// Finding a knob by words of its name, its limiter or what it does, and what can be added.
function find() {
  const words = $("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  const on = words.length > 0 && controls;
  $("matches").hidden = !on;
  $("groups").hidden = Boolean(on);
  if (!on) {
    if ($("matches").firstChild) { $("matches").replaceChildren(); layoutAgain(); }
    $("found").textContent = "";
    return;
  }
  const score = (k) => {
    const g = controls.groups.find((g) => g.id === k.group);
    const near = (k.label + " " + g.title).toLowerCase(), far = near + " " + (k.doc + " " + k.path + " " + (g.doc || "")).toLowerCase();
    if (!words.every((w) => far.includes(w))) return 0;
    return 1 + words.filter((w) => near.includes(w)).length * 2 + (k.main ? 1 : 0);
  };
  const list = controls.knobs.map((k) => [score(k), k]).filter(([s]) => s > 0).sort((a, b) => b[0] - a[0]).slice(0, 24);
  const out = [];
  let last = "";
  list.forEach(([, k]) => {
    const g = controls.groups.find((g) => g.id === k.group);
    if (g.title !== last) { out.push(make("p", { class: "says" }, make("strong", null, g.title))); last = g.title; }
    out.push(place(k).place);
  });
  const further = additions(words);
  if (further.length) out.push(make("p", { class: "says" }, make("strong", null, "To add")), make("div", { class: "buttons" }, ...further));
  $("matches").replaceChildren(...(out.length ? out : [make("p", { class: "says" }, "No knob, fault or limiter has these words.")]));
  $("found").textContent = list.length + " knobs found, " + further.length + " faults and limiters to add";
}
// additions returns buttons for the faults and limiters that have all words and can be added.
function additions(words) {
  const has = (text) => words.every((w) => text.toLowerCase().includes(w));
  const button = (text, o, add) => make("button", { type: "button", title: o.doc, onclick: () => { $("find").value = ""; find(); add(o.value); } }, text + o.label);
  const faults = controls.new_faults.filter((f) => has("fault " + f.label + " " + f.doc));
  const limiters = start.limiters.filter((l) => has("limiter " + l.label) && !controls.rows.includes(l.value) && !controls.file_rows.includes(l.value));
  return faults.map((f) => button("fault: ", f, addFault)).concat(limiters.map((l) => button("limiter: ", l, addRow))).slice(0, 12);
}
let laying = false;
function layoutAgain() { if (!laying && controls) { laying = true; layout(); laying = false; } }
$("find").addEventListener("input", find);
