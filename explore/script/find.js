// Finding a knob by words of its name, its limiter or what it does.
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
  $("matches").replaceChildren(...(out.length ? out : [make("p", { class: "says" }, "No knob has these words.")]));
  $("found").textContent = list.length + " knobs found";
}
let laying = false;
function layoutAgain() { if (!laying && controls) { laying = true; layout(); laying = false; } }
$("find").addEventListener("input", find);
