// One knob: its name, its slider, menu, switch or text, and what is said about it.
const knobs = new Map(); // by path: what was made for each
let lastMoved = "", ids = 0;
function value(knob) { return view.sets.has(knob.path) ? view.sets.get(knob.path) : knob.value; }
function set(path, text) {
  lastMoved = path;
  Array.from(view.sets.keys()).forEach((p) => { if (p.startsWith(path + ".")) view.sets.delete(p); });
  view.sets.delete(path);
  view.sets.set(path, text);
  mark(knobs.get(path));
}
function unset(path) {
  lastMoved = path;
  Array.from(view.sets.keys()).forEach((p) => { if (p === path || p.startsWith(path + ".")) view.sets.delete(p); });
}

function mark(k) {
  if (!k) return;
  const text = value(k.knob);
  const differs = k.knob.file ? k.knob.file !== text : view.sets.has(k.knob.path);
  k.place.classList.toggle("moved", differs);
  k.times.textContent = times(k.knob, text);
  k.reset.hidden = !differs;
  if (k.slider) k.slider.setAttribute("aria-valuetext", text + (k.times.textContent ? ", " + k.times.textContent : ""));
}
function place(knob) {
  let k = knobs.get(knob.path);
  if (k && k.knob.kind === knob.kind) {
    const notches = k.knob.notches;
    k.knob = knob;
    if (notches) knob.notches = notches; // a slider keeps its scale
    refresh(k);
    return k;
  }
  const id = "k" + ids++;
  k = { knob: knob, inputs: [] };
  k.times = make("p", { class: "times" }); // below the slider, which must not move while it is dragged
  k.reset = make("button", { type: "button", "aria-label": "reset " + knob.label + " to the file's value", hidden: true, onclick: () => {
    unset(k.knob.path);
    if (k.knob.file && k.knob.file !== k.knob.value) k.knob.value = k.knob.file;
    refresh(k);
    changed();
  } }, "reset");
  k.mistake = make("p", { class: "mistake", id: id + "-mistake", role: "alert" });
  const doc = make("p", { class: "says", id: id + "-doc" }, knob.doc);
  const described = id + "-doc " + id + "-mistake";
  const name = make("div", { class: "name" }, make("label", { for: id }, knob.label));
  const tools = make("span", { class: "tools" }, k.reset);
  const setting = make("div", { class: "set" });
  if (knob.kind === "slider") {
    k.slider = make("input", { type: "range", id: id, min: 0, max: knob.notches.length - 1, step: 1, "aria-describedby": described,
      oninput: () => { k.exact.value = k.knob.notches[Number(k.slider.value)]; set(k.knob.path, k.exact.value); moved(); },
      onchange: released });
    k.exact = make("input", { type: "text", "aria-label": knob.label + ", exact value", "aria-describedby": id + "-mistake", autocomplete: "off", spellcheck: "false",
      onchange: () => { const text = k.exact.value.trim(); set(k.knob.path, text); k.slider.value = nearest(k.knob, text); mark(k); changed(); } });
    tools.append(make("button", { type: "button", "aria-label": "curve of " + knob.label, onclick: () => curve(k) }, "curve"));
    setting.append(k.slider, k.exact);
    k.inputs = [k.exact];
  } else if (knob.kind === "menu") {
    k.menu = make("select", { id: id, "aria-describedby": described, onchange: () => { set(k.knob.path, k.menu.value); changed(); } });
    setting.append(k.menu);
    k.inputs = [k.menu];
  } else if (knob.kind === "switch") {
    k.box = make("input", { type: "checkbox", id: id, "aria-describedby": described, onchange: () => { set(k.knob.path, String(k.box.checked)); changed(); } });
    setting.append(k.box);
    k.inputs = [k.box];
  } else {
    k.exact = make("input", { type: "text", id: id, "aria-describedby": described, autocomplete: "off", spellcheck: "false",
      onchange: () => { set(k.knob.path, k.exact.value.trim()); changed(); } });
    setting.append(k.exact);
    k.inputs = [k.exact];
  }
  name.append(tools);
  k.place = make("div", { class: "knob" + (knob.kind === "slider" ? "" : " plain"), "data-path": knob.path }, name, setting, k.mistake, k.times, doc);
  knobs.set(knob.path, k);
  refresh(k);
  return k;
}
function refresh(k) {
  const text = value(k.knob);
  if (k.slider) {
    k.slider.max = k.knob.notches.length - 1;
    if (document.activeElement !== k.slider) k.slider.value = nearest(k.knob, text);
  }
  if (k.exact && document.activeElement !== k.exact) k.exact.value = text;
  if (k.box) k.box.checked = text === "true" || text === "on";
  if (k.menu) {
    k.menu.replaceChildren(...k.knob.options.map((o) => make("option", { value: o.value, title: o.doc, selected: o.label === k.knob.value }, o.label)));
  }
  mark(k);
}
