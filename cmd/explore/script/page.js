// What the other files use: the data that the page begins with, and how elements are made.
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
