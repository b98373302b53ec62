// Questions to the server. One answer is awaited at a time: while a preview runs, further movements
// wait and only the last of them is asked; a full run is ended by a movement.
let dead = false;
function died() {
  dead = true;
  $("dead").replaceChildren("limitgauge has stopped. Start it again with: ", make("code", null, start.again), " and load this page again.");
  $("dead").hidden = false;
}
async function post(path, question, name, signal) {
  let response;
  try {
    response = await fetch(path, {
      method: "POST", body: JSON.stringify(question), signal: signal, credentials: "omit", cache: "no-store",
      headers: { "Content-Type": "application/json", "X-Limitgauge-Token": start.token, "X-Limitgauge-Page": page + name }
    });
    return await response.json();
  } catch (error) {
    if (error.name === "AbortError") return null;
    died();
    return { problems: [{ path: "", message: "no answer: limitgauge has stopped" }] };
  }
}
async function alive() {
  if (document.visibilityState === "visible" && !dead) {
    try { await fetch("/alive", { cache: "no-store", credentials: "omit" }); } catch (error) { died(); }
  }
  setTimeout(alive, 3000);
}
setTimeout(alive, 3000);

let dirty = false, whole = false, busy = "", abort = null, idle = 0, version = 0;
function moved() { // a knob is being moved
  if (controls) startTrouble = "";
  dirty = true;
  version++;
  clearTimeout(idle);
  pump();
}
function released() { whole = true; remember(); pump(); }
function changed() { moved(); released(); }
async function pump() {
  if (busy === "whole" && dirty) abort.abort();
  if (busy) return;
  while (dirty || whole) {
    const preview = dirty;
    if (preview) dirty = false; else whole = false;
    busy = preview ? "preview" : "whole";
    abort = new AbortController();
    const asked = version;
    waiting(preview);
    const sent = performance.now();
    const answer = await post("/answer", { view: asJSON(view), pinned: pinned ? asJSON(pinned) : undefined, preview: preview, shape: controls ? controls.shape : "", id: "b", figures: wanted() }, "", abort.signal);
    if (!answer) { busy = ""; whole = true; continue; }
    if (show(answer, asked, performance.now() - sent) && !answer.preview && asked === version) whole = false;
    $("state").dataset.drawn = Math.round(performance.now() - sent); // with the drawing
    if (answer.problems && asked === version) whole = false; // a repaired view has a later version
    if (answer.preview && !whole) {
      clearTimeout(idle);
      idle = setTimeout(() => { whole = true; pump(); }, 350); // held still
    }
    busy = "";
  }
}

function waiting(preview) {
  $("results").classList.add("waiting");
  $("results").setAttribute("aria-busy", "true");
  if (!preview) note("running all replications …");
}
function note(text) {
  let e = $("state").querySelector(".note");
  if (!e) { e = make("span", { class: "note" }); $("state").append(e); }
  e.textContent = text;
}
