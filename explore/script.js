
(function () {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const start = JSON.parse($("start").textContent);
  const page = Array.from(crypto.getRandomValues(new Uint8Array(8)), (b) => b.toString(16).padStart(2, "0")).join("");

  function make(tag, attributes, ...children) {
    const e = document.createElement(tag);
    for (const name in attributes || {}) {
      const value = attributes[name];
      if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
      else if (value === true) e.setAttribute(name, "");
      else if (value !== false && value !== null && value !== undefined) e.setAttribute(name, value);
    }
    e.append(...children.filter((c) => c !== null && c !== undefined));
    return e;
  }

  // The view: a scenario, and what differs from the file. sets maps paths to values in the
  // order in which they were set, because a menu decides which knobs there are.
  function fresh(scenario) { return { scenario: scenario, rows: null, faults: null, sets: new Map() }; }
  let view = fresh(start.scenarios[0]);
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
    const v = fresh(start.scenarios.includes(name) ? name : start.scenarios[0]);
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

  // Questions. One answer is awaited at a time: while a preview runs, further movements
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

  // The answer.
  function show(answer, asked, took) {
    $("results").classList.remove("waiting");
    $("results").removeAttribute("aria-busy");
    mistakes(answer.problems || []);
    if (answer.problems && !controls && !isPlain(view)) { // of a link
      $("trouble").textContent = "These settings of the link cannot run, so this is what the file says. " + $("trouble").textContent;
      view = fresh(view.scenario);
      startTrouble = $("trouble").textContent;
      changed();
      return false;
    }
    if (answer.problems) { note(""); giveBack(answer.problems); return false; }
    good = { scenario: view.scenario, rows: view.rows, faults: view.faults };
    if (answer.controls) { controls = answer.controls; layout(); }
    $("about").textContent = answer.about;
    $("state").replaceChildren(
      answer.preview ? make("span", { class: "badge preview" }, "preview") : make("span", { class: "badge" }, "complete"),
      make("span", null, (answer.preview ? "a short run: " + answer.preview : answer.runs) + " · " + Math.round(took) + " ms"));
    $("state").dataset.took = Math.round(took);
    $("state").dataset.version = asked;
    $("state").dataset.preview = answer.preview || "";
    $("sentence").textContent = answer.sentence;
    $("warnings").replaceChildren(...(answer.warnings || []).map((w) => make("p", { class: "warning" }, make("strong", null, "Warning: "), w)));
    between();
    fill($("difference"), answer.difference || (pinned && answer.preview ? null : ""));
    $("difference").classList.toggle("old", Boolean(pinned && answer.preview));
    sides.b = answer;
    draw();
    if (!answer.preview) $("heard").textContent = "Complete: " + answer.runs + ". " + answer.sentence;
    return true;
  }

  let startTrouble = "";
  function isPlain(v) { return !v.rows && !v.faults && !v.sets.size; }
  // A limiter or fault that cannot be added is taken back, because its knobs are not there
  // to mend it.
  let good = null;
  function giveBack(problems) {
    if (!good || good.scenario !== view.scenario || good.rows === view.rows && good.faults === view.faults) return;
    view.rows = good.rows;
    view.faults = good.faults;
    document.querySelectorAll(".mistake").forEach((m) => { m.textContent = ""; });
    layout();
    $("trouble").hidden = false;
    $("trouble").textContent = "Not changed: " + problems.map((p) => p.message).join(" ");
    remember();
  }

  // fill replaces a part of the page, and keeps how its table is sorted and what is open.
  function fill(place, html) {
    if (html === null || place.lastHTML === html) return;
    place.lastHTML = html;
    const open = Array.from(place.querySelectorAll("details"), (d) => d.open);
    const head = place.querySelector("th[aria-sort=ascending], th[aria-sort=descending]");
    const sorted = head && { column: head.cellIndex, order: head.getAttribute("aria-sort") };
    const scrolled = Array.from(place.querySelectorAll(".scroll"), (s) => s.scrollLeft);
    place.innerHTML = html;
    place.dispatchEvent(new Event("added", { bubbles: true }));
    place.querySelectorAll("details").forEach((d, i) => { d.open = Boolean(open[i]); });
    place.querySelectorAll(".scroll").forEach((s, i) => { s.scrollLeft = scrolled[i] || 0; });
    const again = sorted && place.querySelectorAll("table.sortable thead th")[sorted.column];
    for (let i = 0; again && i < 2 && again.getAttribute("aria-sort") !== sorted.order; i++) again.querySelector("button").click();
  }

  // Figures that are folded are not drawn, which makes answers quicker.
  const shownFigures = new Map([["timeline", true], ["accuracy", true], ["frontier", true]]);
  function wanted() { return Array.from(shownFigures.keys()).filter((name) => shownFigures.get(name)); }
  function figureSlot(name, title) {
    const s = slot(null, name);
    if (!s.fold) {
      s.fold = make("details", { class: "figure" }, make("summary", null, title), s.pair);
      s.fold.open = Boolean(shownFigures.get(name));
      s.fold.addEventListener("toggle", () => {
        if (shownFigures.get(name) === s.fold.open) return;
        shownFigures.set(name, s.fold.open);
        if (!s.fold.open) return;
        if (pinned) pinChanged();
        whole = true;
        pump();
      });
    }
    if (s.fold.parentNode !== $("figures")) $("figures").append(s.fold);
    return s;
  }

  const sides = { a: null, b: null };
  const slots = new Map();
  function slot(parent, name) {
    let s = slots.get(name);
    if (!s) {
      s = { pair: make("div", { class: "pair" }), a: make("div", { class: "side a" }), b: make("div", { class: "side b" }) };
      s.pair.append(s.a, s.b);
      slots.set(name, s);
    }
    if (parent && s.pair.parentNode !== parent) parent.append(s.pair);
    return s;
  }
  function draw() {
    const two = Boolean(pinned);
    $("results").classList.toggle("two", two);
    const b = sides.b, a = two ? sides.a : null;
    if (!b) return;
    const head = (letter, v) => "<h2><span class='letter " + letter + "'>" + letter.toUpperCase() + "</span> " + (letter === "a" ? "pinned" : "now") + "</h2>";
    const tables = [["table", (x) => x.table + (x.faults_table || "")]];
    tables.forEach(([name, get]) => {
      const s = slot($("tables"), name);
      s.pair.classList.add("tables");
      const named = (html, side) => html.replace(/<caption[^>]*>/, "$&" + side + ": ");
      fill(s.a, a ? head("a") + named(get(a), "A, pinned") : "");
      fill(s.b, two ? head("b") + named(get(b), "B, now") : get(b));
      s.a.hidden = !a;
    });
    const names = [];
    [b, a].forEach((x) => x && x.figures.forEach((f) => { if (!names.includes(f.name)) names.push(f.name); }));
    slots.forEach((s, name) => { if (name !== "table" && !names.includes(name)) { (s.fold || s.pair).remove(); slots.delete(name); } });
    brief();
    names.forEach((name) => {
      const find = (x) => x && x.figures.find((f) => f.name === name);
      const s = figureSlot(name, (find(b) || find(a)).title);
      const of = (x) => { const f = find(x); return f ? f.html || (s.fold.open ? null : "") : ""; };
      const with_ = (h, x) => { const html = of(x); return html === null ? null : h + html; };
      fill(s.a, a ? with_(head("a"), a) : "");
      fill(s.b, with_(two ? head("b") : "", b));
      s.a.hidden = !a;
    });
  }

  // brief says the first figure of each row where the results are out of sight.
  function brief() {
    const head = $("tables").querySelector(".b thead th:nth-child(2)");
    const rows = Array.from($("tables").querySelectorAll(".b table.sortable tbody:last-of-type tr"));
    rows.sort((x, y) => Number(y.cells[1].dataset.sort) - Number(x.cells[1].dataset.sort)); // the largest first
    const words = rows.map((r) => r.cells[0].firstChild.textContent.trim() + " " + r.cells[1].firstChild.textContent);
    $("brief-text").textContent = head ? head.textContent.trim() + ": " + words.join(", ") : "";
  }

  // Mistakes are shown beside the knob that they are about.
  function mistakes(list) {
    document.querySelectorAll(".mistake").forEach((m) => { m.textContent = ""; });
    document.querySelectorAll(".exploring [aria-invalid]").forEach((e) => e.removeAttribute("aria-invalid"));
    const rest = [];
    list.forEach((p) => {
      let best = null;
      knobs.forEach((k, path) => {
        if (k.place.isConnected && p.path && (p.path === path || p.path.startsWith(path + ".") || p.path.startsWith(path + ":")) && (!best || path.length > best.knob.path.length)) best = k;
      });
      if (!best && lastMoved && knobs.has(lastMoved)) best = knobs.get(lastMoved);
      if (!best) { rest.push((p.path ? p.path + ": " : "") + p.message); return; }
      best.mistake.textContent = (p.path && p.path !== best.knob.path ? p.path + ": " : "") + p.message;
      best.inputs.forEach((e) => e.setAttribute("aria-invalid", "true"));
    });
    $("trouble").hidden = rest.length === 0 && !startTrouble;
    $("trouble").textContent = rest.join(" ") || startTrouble;
  }

  // Knobs.
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
  function nearest(knob, text) {
    const i = knob.notches.indexOf(text);
    if (i >= 0) return i;
    const x = amount(text);
    let best = Math.floor(knob.notches.length / 2), least = Infinity;
    if (x === null) return best;
    knob.notches.forEach((n, j) => { const d = Math.abs(amount(n) - x); if (d < least) { least = d; best = j; } });
    return best;
  }
  // amount reads a value of the house's notation, only to place a slider.
  function amount(text) {
    const unit = { d: 86400, h: 3600, min: 60, m: 60, s: 1, ms: 1e-3, us: 1e-6, "µs": 1e-6, ns: 1e-9, k: 1e3, M: 1e6, "%": 0.01, "": 1 };
    const [number, per] = String(text).split("/");
    let sum = 0, seen = false;
    for (const m of number.matchAll(/([\d.]+)\s*([a-zµ%]*)/gi)) { sum += Number(m[1]) * (unit[m[2]] === undefined ? 1 : unit[m[2]]); seen = true; }
    if (!seen || Number.isNaN(sum)) return null;
    if (per !== undefined) { const t = /^\d/.test(per) ? amount(per) : unit[per] || 1; sum /= t || 1; }
    return sum;
  }
  function times(knob, text) {
    if (!knob.file || knob.file === text) return "";
    const x = amount(text), y = amount(knob.file);
    if (knob.kind !== "slider" || x === null || y === null || !y || !x) return "file: " + knob.file;
    const ratio = x / y;
    return (ratio >= 1 ? "×" + Number(ratio.toPrecision(3)) : "÷" + Number((1 / ratio).toPrecision(3))) + ", file: " + knob.file;
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
    k.times = make("span", { class: "times" });
    k.reset = make("button", { type: "button", "aria-label": "reset " + knob.label + " to the file's value", hidden: true, onclick: () => {
      unset(k.knob.path);
      if (k.knob.file && k.knob.file !== k.knob.value) k.knob.value = k.knob.file;
      refresh(k);
      changed();
    } }, "reset");
    k.mistake = make("p", { class: "mistake", id: id + "-mistake", role: "alert" });
    const doc = make("p", { class: "says", id: id + "-doc" }, knob.doc);
    const described = id + "-doc " + id + "-mistake";
    const name = make("div", { class: "name" }, make("label", { for: id }, knob.label), k.times);
    const tools = make("span", { class: "tools" }, k.reset);
    const setting = make("div", { class: "set" });
    if (knob.kind === "slider") {
      k.slider = make("input", { type: "range", id: id, min: 0, max: knob.notches.length - 1, step: 1, "aria-describedby": described,
        oninput: () => { k.exact.value = k.knob.notches[Number(k.slider.value)]; set(k.knob.path, k.exact.value); moved(); },
        onchange: released });
      k.exact = make("input", { type: "text", "aria-label": knob.label + ", exact value", "aria-describedby": id + "-mistake", autocomplete: "off", spellcheck: "false",
        onchange: () => { const text = k.exact.value.trim(); set(k.knob.path, text); k.slider.value = nearest(k.knob, text); mark(k); changed(); } });
      tools.prepend(make("button", { type: "button", "aria-label": "curve of " + knob.label, onclick: () => curve(k) }, "curve"));
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
    k.out = make("div", null);
    k.place = make("div", { class: "knob" + (knob.kind === "slider" ? "" : " plain"), "data-path": knob.path }, name, setting, k.mistake, doc, k.out);
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
    if (more.length) into.append(folded(key + "/more", more.length + " more", false, (d) => more.forEach((k) => d.append(place(k).place)), "more"));
  }
  function group(g, isOpen) {
    const list = controls.knobs.filter((k) => k.group === g.id);
    return folded(view.scenario + "/" + g.id, [g.title, g.doc ? make("span", { class: "what" }, " — " + g.doc) : ""], isOpen, (d) => {
      fillGroup(d, list, view.scenario + "/" + g.id);
      if (!list.length) d.append(make("p", { class: "says" }, "It has no settings here."));
    }, "group");
  }
  function layout() {
    const focus = document.activeElement && document.activeElement.id;
    knobs.forEach((k, path) => { if (!controls.knobs.some((c) => c.path === path)) knobs.delete(path); });
    const of = (prefix) => controls.groups.filter((g) => g.id.startsWith(prefix));
    const parts = [];
    of("traffic:").forEach((g) => parts.push(group(g, true)));
    of("policy").forEach((g) => parts.push(group(g, true)));
    of("fleet").forEach((g) => parts.push(group(g, true)));
    parts.push(rowsGroup(of("limiter:")), faultsGroup(of("fault:")));
    of("guard").concat(of("retries"), of("run")).forEach((g) => parts.push(group(g, false)));
    $("groups").replaceChildren(...parts);
    find();
    if (focus && $(focus) && document.activeElement !== $(focus)) $(focus).focus({ preventScroll: true });
  }
  function rowsGroup(groups) {
    return folded(view.scenario + "/rows", ["Limiters", make("span", { class: "what" }, " — rows to show, and the options of each")], true, (d) => {
      const all = controls.file_rows.concat(controls.rows.filter((r) => !controls.file_rows.includes(r)));
      const list = make("ul", { class: "rows" });
      all.forEach((name, i) => {
        const id = "row" + i;
        const shown = controls.rows.includes(name);
        list.append(make("li", null,
          make("input", { type: "checkbox", id: id, checked: shown, onchange: (event) => {
            const rows = all.filter((r) => r === name ? event.target.checked : controls.rows.includes(r));
            if (!rows.length) { event.target.checked = true; return; }
            setRows(rows);
          } }), make("label", { for: id }, name)));
      });
      const menu = make("select", { id: "add-row", "aria-label": "limiter to add" }, make("option", { value: "" }, "add a limiter …"),
        ...start.limiters.filter((l) => !all.includes(l.value)).map((l) => make("option", { value: l.value, title: l.doc }, l.label)));
      menu.addEventListener("change", () => { if (menu.value) setRows(controls.rows.concat([menu.value])); });
      const alone = make("p", { class: "says" }, "A row has the same traffic and the same random draws whatever the other rows are.");
      d.append(list, make("div", { class: "adding" }, menu), alone);
      groups.forEach((g) => d.append(group(g, groups.length <= 2)));
    }, "group");
  }
  function setRows(rows) {
    Array.from(view.sets.keys()).forEach((p) => {
      if (p.startsWith("algorithms.") && !rows.some((r) => p.startsWith("algorithms." + r + "."))) view.sets.delete(p);
    });
    view.rows = rows.join("\n") === controls.file_rows.join("\n") ? null : rows;
    changed();
  }
  function faultsGroup(groups) {
    return folded(view.scenario + "/faults", ["Faults", make("span", { class: "what" }, groups.length ? " — " + groups.length : " — none")], groups.length > 0, (d) => {
      groups.forEach((g, i) => {
        d.append(group(g, true), make("button", { type: "button", onclick: () => setFaults(controls.faults.filter((_, j) => j !== i)) }, "remove " + g.title));
      });
      const menu = make("select", { id: "add-fault", "aria-label": "fault to add" }, make("option", { value: "" }, "add a fault …"),
        ...controls.new_faults.map((f) => make("option", { value: f.value, title: f.doc }, f.label)));
      menu.addEventListener("change", () => { if (menu.value) setFaults((controls.faults || []).concat([menu.value])); });
      d.append(make("div", { class: "adding" }, menu));
    }, "group");
  }
  function setFaults(list) {
    Array.from(view.sets.keys()).forEach((p) => { if (p.startsWith("faults[")) { view.sets.delete(p); } });
    Array.from(knobs.keys()).forEach((p) => { if (p.startsWith("faults[")) knobs.delete(p); });
    view.faults = list;
    opened.set(view.scenario + "/faults", true);
    changed();
  }

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

  // The curve of a knob, under its slider.
  async function curve(k) {
    const list = spread(k);
    const box = make("div", { class: "curved", role: "region", "aria-label": "curve of " + k.knob.label });
    const said = make("p", { class: "says", role: "status" }, "running " + list.length + " values …");
    box.append(said);
    k.out.replaceChildren(box);
    const answer = await post("/curve", { view: asJSON(view), path: k.knob.path, values: list }, "-curve");
    if (!answer || !box.isConnected) return;
    if (answer.problems) { said.textContent = answer.problems.map((p) => p.message).join(" "); return; }
    said.textContent = answer.said;
    const panels = make("div", { class: "panels", tabindex: "0", role: "group", "aria-label": "figures along " + k.knob.label });
    panels.innerHTML = answer.figures.map((f) => f.html).join("") + "<details" + (answer.table.split("<tr>").length < 40 ? " open" : "") + "><summary>The figures as a table</summary>" + answer.table + "</details>";
    box.append(panels, make("button", { type: "button", onclick: () => k.out.replaceChildren() }, "close the curve"));
    box.dispatchEvent(new Event("added", { bubbles: true }));
  }

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

  // Two settings.
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
  $("reset").addEventListener("click", () => { view = fresh(view.scenario); knobs.clear(); controls = null; changed(); });

  // Copies.
  async function copy(text, what) {
    let done = true;
    try { await navigator.clipboard.writeText(text); } catch (error) { done = false; }
    $("copied").hidden = false;
    $("copied-text").value = text;
    $("copied-said").textContent = done ? what + " is on the clipboard." : "The browser did not let the page write to the clipboard: copy it from here.";
    if (!done) { $("copied-text").focus(); $("copied-text").select(); }
  }
  async function copied(which, what) {
    const answer = await post("/copy", { view: asJSON(view) }, "-copy");
    if (!answer) return;
    if (answer.problems) { mistakes(answer.problems); return; }
    copy(answer[which], what);
  }
  $("copy-yaml").addEventListener("click", () => copied("yaml", "The scenario file"));
  $("copy-command").addEventListener("click", () => copied("command", "The command, which gives these figures,"));
  $("copy-link").addEventListener("click", () => { remember(); copy(location.href, "The link, which shows this view while limitgauge explore runs at this address,"); });
  $("copied-close").addEventListener("click", () => { $("copied").hidden = true; $("copy-yaml").focus(); });

  // Links within the page leave the address, which is that of the view, as it is.
  document.querySelectorAll("[data-to], .skip").forEach((a) => a.addEventListener("click", (event) => {
    event.preventDefault();
    const to = $(a.dataset.to || "results");
    to.scrollIntoView();
    to.focus({ preventScroll: true });
  }));

  // The start.
  $("scenario").append(...start.scenarios.map((s) => make("option", { value: s }, s)));
  $("scenario").addEventListener("change", () => { view = fresh($("scenario").value); knobs.clear(); controls = null; changed(); });
  addEventListener("hashchange", () => { if (location.hash !== link()) restore(); });
  restore();
})();
