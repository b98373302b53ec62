// Values as numbers, which only place sliders and say ratios: the server decides.

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
