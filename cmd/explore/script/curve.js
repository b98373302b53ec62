// spread returns values over the range of a slider, at about equal ratios, and the
// present one.
function spread(k) {
  const notches = k.knob.notches, most = 10;
  if (notches.length <= most) return notches;
  const x = notches.map((n) => { const a = amount(n); return a > 0 ? Math.log(a) : null; });
  const known = x.filter((a) => a !== null), lo = known[0], hi = known[known.length - 1];
  const keep = new Set([nearest(k.knob, value(k.knob))]);
  for (let i = 0; i < most - 1; i++) {
    const at = lo + (hi - lo) * i / (most - 2);
    let best = 0, least = Infinity;
    x.forEach((a, j) => { if (a !== null && Math.abs(a - at) < least) { least = Math.abs(a - at); best = j; } });
    keep.add(best);
  }
  return Array.from(keep).sort((a, b) => a - b).map((i) => notches[i]);
}

// The curve of a knob, above the results, where there is room for it.
async function curve(k) {
  const list = spread(k);
  const box = make("div", { class: "curved", role: "region", tabindex: "-1", "aria-label": "curve of " + k.knob.label });
  const said = make("p", { class: "says", role: "status" }, "running " + list.length + " values …");
  box.append(said);
  $("curve").replaceChildren(box);
  $("curve").scrollIntoView({ block: "nearest" });
  const answer = await post("/curve", { view: asJSON(view), path: k.knob.path, values: list }, "-curve");
  if (!answer || !box.isConnected) return;
  if (answer.problems) { said.textContent = answer.problems.map((p) => p.message).join(" "); return; }
  said.textContent = answer.said;
  const panels = make("div", { class: "panels", tabindex: "0", role: "group", "aria-label": "figures along " + k.knob.label });
  panels.innerHTML = answer.figures.map((f) => f.html).join("") + "<details" + (answer.table.split("<tr>").length < 40 ? " open" : "") + "><summary>The figures as a table</summary>" + answer.table + "</details>";
  box.append(panels, make("button", { type: "button", onclick: () => $("curve").replaceChildren() }, "close the curve"));
  box.dispatchEvent(new Event("added", { bubbles: true }));
}
