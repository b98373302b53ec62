// Faults: those of the setting, and a menu of those that can be added.
function faultsGroup(groups) {
  return folded(view.scenario + "/faults", ["Faults", make("span", { class: "what" }, groups.length ? " — " + groups.length : " — none")], groups.length > 0, (d) => {
    groups.forEach((g, i) => {
      d.append(group(g, true), make("button", { type: "button", onclick: () => setFaults(controls.faults.filter((_, j) => j !== i)) }, "remove " + g.title));
    });
    const menu = make("select", { id: "add-fault", "aria-label": "fault to add" }, make("option", { value: "" }, "a fault to add …"),
      ...controls.new_faults.map((f) => make("option", { value: f.value, title: f.doc }, f.label)));
    d.append(adding(menu, addFault));
  }, "group");
}
function addFault(text) {
  const list = controls.faults || [];
  added = "fault:" + list.length;
  setFaults(list.concat([text]));
}
function setFaults(list) {
  Array.from(view.sets.keys()).forEach((p) => { if (p.startsWith("faults[")) { view.sets.delete(p); } });
  Array.from(knobs.keys()).forEach((p) => { if (p.startsWith("faults[")) knobs.delete(p); });
  view.faults = list;
  opened.set(view.scenario + "/faults", true);
  changed();
}
