// Copies: the scenario file, the command, the link.
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
