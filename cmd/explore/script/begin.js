$("reset").addEventListener("click", () => { view = fresh(view.scenario); knobs.clear(); controls = null; changed(); });

// Links within the page leave the address, which is that of the view, as it is.
document.querySelectorAll("[data-to], .skip").forEach((a) => a.addEventListener("click", (event) => {
  event.preventDefault();
  const to = $(a.dataset.to || "results");
  to.scrollIntoView();
  to.focus({ preventScroll: true });
}));

// The start.
$("scenario").append(...start.scenarios.map((s) => make("option", { value: s }, s)));
$("scenario").addEventListener("change", () => { view = fresh($("scenario").value); knobs.clear(); controls = null; $("curve").replaceChildren(); changed(); });
addEventListener("hashchange", () => { if (location.hash !== link()) restore(); });
restore();
