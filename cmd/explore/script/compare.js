// Two settings: A is pinned, B is moved.

// between says in which settings B differs from A.
function between() {
  if (!pinned) { $("between").textContent = ""; return; }
  const of = (v, path) => {
    if (v.sets.has(path)) return v.sets.get(path);
    const k = controls && controls.knobs.find((k) => k.path === path);
    return k && k.file ? k.file : "as in the file";
  };
  const list = Array.from(new Set([...pinned.sets.keys(), ...view.sets.keys()])).filter((p) => of(pinned, p) !== of(view, p)).map((p) => p + " " + of(pinned, p) + " → " + of(view, p));
  if (pinned.scenario !== view.scenario) list.unshift("scenario " + pinned.scenario + " → " + view.scenario);
  if (String(pinned.rows) !== String(view.rows)) list.push("other rows");
  if (String(pinned.faults) !== String(view.faults)) list.push("other faults");
  $("between").textContent = list.length ? "From A to B: " + list.join(", ") + "." : "A and B are the same: move a knob, and B moves.";
}

function pinChanged() {
  $("pin").textContent = pinned ? "Pin this instead as A" : "Pin as A, compare";
  $("unpin").hidden = !pinned;
  sides.a = null;
  if (!pinned) { fill($("difference"), ""); between(); draw(); return; }
  const of = pinned;
  post("/answer", { view: asJSON(pinned), id: "a", figures: wanted() }, "-a").then((answer) => {
    if (!answer || of !== pinned) return;
    if (answer.problems) { $("trouble").hidden = false; $("trouble").textContent = "A: " + answer.problems.map((p) => p.message).join(" "); return; }
    sides.a = answer;
    draw();
  });
}
$("pin").addEventListener("click", () => { pinned = copyOf(view); pinChanged(); changed(); });
$("unpin").addEventListener("click", () => { pinned = null; pinChanged(); changed(); });
