// The rows: which limiters are shown, and their options.
function rowsGroup(groups) {
  return folded(view.scenario + "/rows", ["Limiters", make("span", { class: "what" }, " — tick those to show, open one for its options")], true, (d) => {
    const all = controls.file_rows.concat(controls.rows.filter((r) => !controls.file_rows.includes(r)));
    const list = make("ul", { class: "rows" });
    all.forEach((name, i) => {
      const id = "row" + i;
      const shown = controls.rows.includes(name);
      const options = groups.find((g) => g.id === "limiter:" + name);
      list.append(make("li", null,
        make("input", { type: "checkbox", id: id, "aria-label": options ? "show " + name : null, checked: shown, onchange: (event) => {
          const rows = all.filter((r) => r === name ? event.target.checked : controls.rows.includes(r));
          if (!rows.length) { event.target.checked = true; return; }
          setRows(rows);
        } }), options ? group(options, groups.length <= 2) : make("label", { for: id }, name)));
    });
    const menu = make("select", { id: "add-row", "aria-label": "limiter to add" }, make("option", { value: "" }, "a limiter to add …"),
      ...start.limiters.filter((l) => !all.includes(l.value)).map((l) => make("option", { value: l.value, title: l.doc }, l.label)));
    const alone = make("p", { class: "says" }, "A row has the same traffic and the same random draws whatever the other rows are.");
    d.append(list, adding(menu, addRow), alone);
  }, "group");
}
function addRow(name) { added = "limiter:" + name; setRows(controls.rows.concat([name])); }
function setRows(rows) {
  Array.from(view.sets.keys()).forEach((p) => {
    if (p.startsWith("algorithms.") && !rows.some((r) => p.startsWith("algorithms." + r + "."))) view.sets.delete(p);
  });
  view.rows = rows.join("\n") === controls.file_rows.join("\n") ? null : rows;
  changed();
}
