package explore

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/internal/testing/chromium"
	"github.com/limitgauge/limitgauge/internal/testing/wait"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

// look is the page of an Explorer in a browser.
type look struct {
	*chromium.Browser
	t    *testing.T
	url  string
	stop func()
}

// openPage opens the page of a scenario file in a window of a width.
func openPage(t *testing.T, e *Explorer, fragment string, width int) *look {
	t.Helper()
	b := chromium.Open(t)
	p := &look{Browser: b, t: t}
	p.url, _, p.stop = serve(t, e)
	p.resize(width)
	b.Load(p.url + fragment)
	p.complete()
	return p
}

func (p *look) resize(width int) {
	p.t.Helper()
	p.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}, nil)
}

// until waits until an expression of the page is true, on a busy machine for long.
func (p *look) until(condition string) {
	p.t.Helper()
	var held bool
	for end := wait.End(p.t); !held && !over(end); {
		p.Eval(fmt.Sprintf(`new Promise(function (done) {
			var tries = 0;
			(function look() { if (%s) done(true); else if (tries++ > 200) done(false); else setTimeout(look, 20); })();
		})`, condition), &held)
	}
	if !held {
		var state string
		p.Eval(`document.getElementById("state").textContent + " / " + document.getElementById("trouble").textContent`, &state)
		p.t.Fatalf("never: %s (%s)", condition, state)
	}
}

// over reports whether a wait has to end.
func over(end <-chan time.Time) bool {
	select {
	case <-end:
		return true
	default:
		return false
	}
}

// complete waits until all replications of the last setting are shown.
func (p *look) complete() {
	p.t.Helper()
	p.until(`document.querySelector("#state .badge") && !document.querySelector("#state .preview") && !document.querySelector("#results.waiting")`)
}

func (p *look) text(expression string) (text string) {
	p.t.Helper()
	p.Eval("String("+expression+")", &text)
	return text
}

// has fails the test unless an expression's text contains another.
func (p *look) has(what, expression, want string) {
	p.t.Helper()
	if got := p.text(expression); !strings.Contains(got, want) {
		p.t.Errorf("%s: %.300q, want %q in it", what, got, want)
	}
}

// choose sets a menu as a reader does: by the keyboard, which selects what is typed.
func (p *look) choose(selector, label string) {
	p.t.Helper()
	p.Eval(fmt.Sprintf(`(function () {
		var menu = document.querySelector(%q);
		menu.focus();
		menu.selectedIndex = Array.from(menu.options).findIndex(function (o) { return o.textContent === %q; });
		menu.dispatchEvent(new Event("input", {bubbles: true}));
		menu.dispatchEvent(new Event("change", {bubbles: true}));
	})()`, selector, label), nil)
}

// enter replaces the text of an input by real key presses and leaves it with Enter.
func (p *look) enter(selector, text string) {
	p.t.Helper()
	p.Click(selector)
	p.Eval(fmt.Sprintf(`document.querySelector(%q).select()`, selector), nil)
	p.Call("Input.insertText", map[string]any{"text": text}, nil)
	p.Press("Enter", "\r", 13)
}

// quiet fails the test if the page wrote to the console, threw an error, opened a dialog,
// or asked for anything but its own server.
func (p *look) quiet() {
	p.t.Helper()
	asked := 0
	for _, e := range p.Events {
		switch e.Method {
		case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Page.javascriptDialogOpening":
			p.t.Errorf("%s: %s", e.Method, e.Params)
		case "Network.requestWillBeSent":
			var params struct{ Request struct{ URL string } }
			if err := json.Unmarshal(e.Params, &params); err != nil {
				p.t.Fatal(err)
			}
			asked++
			if url := params.Request.URL; !strings.HasPrefix(url, p.url) && url != "data:," {
				p.t.Errorf("the page asked for %s", url)
			}
		}
	}
	if asked < 2 {
		p.t.Error("no request was seen: the test watches nothing")
	}
}

// shoot keeps a picture of the page if the environment names a folder for it.
func (p *look) shoot(name string, whole bool) {
	p.t.Helper()
	if dir := os.Getenv("SCREENSHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name+".png"), p.Screenshot(whole), 0o644); err != nil {
			p.t.Fatal(err)
		}
	}
}

// thorough skips a test unless the environment has EXPLORE=all, as in .ci/nightly: each starts
// a browser and waits for many runs.
func thorough(t *testing.T) {
	t.Helper()
	if os.Getenv("EXPLORE") != "all" {
		t.Skip("only with EXPLORE=all: starts many browsers")
	}
}

const (
	rate      = `[data-path="traffic[0].rate"]`
	firstCell = `document.querySelector("#tables .b table tbody:last-child").textContent`
	rowNames  = `Array.from(document.querySelectorAll("#tables .b table tbody th"), function (e) { return e.firstChild.textContent; }).join(" ")`
)

func TestBrowserDrag(t *testing.T) {
	p := openPage(t, explorerOf(t, small, "."), "", 1300)
	before := p.text(firstCell)
	box := p.Middle(rate + " input[type=range]")
	y := box.Y + box.Height/2
	var at float64
	p.Eval(`(function () { var s = document.querySelector('`+rate+` input[type=range]'); return s.value / s.max; })()`, &at)
	x := box.X + 8 + at*(box.Width-16)
	p.Mouse("mouseMoved", x, y, false)
	p.Mouse("mousePressed", x, y, true)
	// While the mouse is held, the figures follow.
	for i := range 6 {
		p.Mouse("mouseMoved", x+float64(i+1)*8, y, true)
	}
	p.until(`document.getElementById("state").dataset.version > 1`)
	if p.text(`location.hash`) != p.text(`location.hash.split("set=")[0]`) {
		t.Error("the address follows each step of a drag, not its end")
	}
	p.Mouse("mouseReleased", x+48, y, true)
	p.complete()
	if after := p.text(firstCell); after == before {
		t.Error("the table is that of before the drag")
	}
	value := p.text(`document.querySelector('` + rate + ` input[type=text]').value`)
	if value == "300/s" {
		t.Error("the drag has moved nothing")
	}
	p.has("the address", `decodeURIComponent(location.hash)`, "set=traffic[0].rate="+value)
	p.has("beside the knob", `document.querySelector('`+rate+` .times').textContent`, "file: 300/s")
	p.has("a screen reader", `document.getElementById("heard").textContent`, "Complete: 4 replications")
	p.quiet()
}

func TestBrowserKeyboard(t *testing.T) {
	p := openPage(t, explorerOf(t, small, "."), "", 1300)
	p.Eval(`document.querySelector('`+rate+` input[type=range]').focus()`, nil)
	p.Press("ArrowRight", "", 39)
	p.complete()
	p.has("the slider", `document.querySelector('`+rate+` input[type=range]').getAttribute("aria-valuetext")`, "330/s, ×1.1, file: 300/s")

	// A mistake is shown beside its knob in the loader's words, and mended there.
	exact := rate + ` input[type=text]`
	p.enter(exact, "600")
	p.until(`document.querySelector('` + rate + ` .mistake').textContent`)
	p.has("the mistake", `document.querySelector('`+rate+` .mistake').textContent`, `"600" needs a period, such as 600/s or 600/min`)
	p.has("the input", `document.querySelector('`+exact+`').getAttribute("aria-invalid")`, "true")
	p.enter(exact, "36k/min")
	p.until(`!document.querySelector('` + rate + ` .mistake').textContent`)
	p.complete()
	p.has("beside the knob", `document.querySelector('`+rate+` .times').textContent`, "×2, file: 300/s")

	// The reset of one knob.
	p.Click(rate + " .tools button:first-child")
	p.until(`document.querySelector('` + exact + `').value === "300/s"`)
	p.complete()
	if hash := p.text(`location.hash`); strings.Contains(hash, "set=") {
		t.Errorf("after the reset the address is %s", hash)
	}
	p.quiet()
}

func TestBrowserMenus(t *testing.T) {
	thorough(t)
	p := openPage(t, explorerOf(t, small, "."), "", 1300)
	network := `[data-path="topology.network"] select`
	p.choose(network, "exponential")
	p.until(`document.querySelector('[data-path="topology.network.exponential.p99"]')`)
	p.complete()
	if p.text(`document.querySelector('[data-path="topology.network.lognormal.p50"]')`) != "null" {
		t.Error("the knobs of the other distribution are still there")
	}

	// Rows.
	p.Click("#row1") // batch
	p.until(`!(` + rowNames + `).includes("batch")`)
	p.choose("#add-row", "gcra")
	p.Click("#add-row-now")
	p.until(`(` + rowNames + `).includes("gcra")`)
	p.complete()
	p.has("the address", `location.hash`, "row=token-bucket&row=remote&row=gcra")

	// Faults, and one that cannot affect any row.
	p.Eval(`Array.from(document.querySelectorAll("#groups > .group > summary")).find(function (s) { return s.textContent.startsWith("Faults"); }).click()`, nil)
	p.until(`document.querySelector("#add-fault")`)
	p.choose("#add-fault", "partition")
	p.Click("#add-fault-now")
	p.until(`document.querySelector('[data-path="faults[0].partition.from"]')`)
	p.complete()
	p.has("the table of faults", `document.querySelector("#tables .b").textContent`, "partition")
	p.choose("#add-fault", "report-loss")
	p.Click("#add-fault-now")
	p.until(`document.getElementById("trouble").textContent`)
	p.has("the reason", `document.getElementById("trouble").textContent`, "Not changed: ")
	p.Eval(`Array.from(document.querySelectorAll("button")).find(function (b) { return b.textContent === "remove partition"; }).click()`, nil)
	p.until(`!document.querySelector('[data-path="faults[0].partition.from"]')`)
	p.complete()

	// Another scenario.
	p.choose("#scenario", "step")
	p.until(`document.querySelector('[data-path="traffic[0].to_rate"]')`)
	p.complete()
	p.has("rows", rowNames, "reference token-bucket batch")

	// Finding a knob.
	p.Click("#find")
	p.Call("Input.insertText", map[string]any{"text": "batch interval"}, nil)
	p.until(`document.querySelector('#matches [data-path="algorithms.batch.interval"]')`)
	p.has("found", `document.getElementById("found").textContent`, "knobs found")

	// And a fault to add.
	p.Eval(`document.querySelector("#find").select()`, nil)
	p.Call("Input.insertText", map[string]any{"text": "partition"}, nil)
	p.until(`document.querySelector("#matches button")?.textContent === "fault: partition"`)
	p.Click("#matches button")
	p.until(`document.querySelector('#groups [data-path="faults[0].partition.from"]')`)
	p.complete()
	p.quiet()
}

func TestBrowserPinAndLink(t *testing.T) {
	thorough(t)
	e := explorerOf(t, small, ".")
	p := openPage(t, e, "", 1300)
	p.Click("#pin")
	p.until(`document.querySelector("#tables .a table")`)
	p.complete()
	p.has("equal settings", `document.getElementById("between").textContent`, "A and B are the same")
	p.has("equal figures", `document.getElementById("difference").textContent`, "are equal in every replication")
	p.Eval(`new MutationObserver(function () {
		if (document.querySelector("#difference.old") && document.getElementById("difference").textContent.includes("are equal")) window.wrong = true;
	}).observe(document.getElementById("results"), {subtree: true, childList: true, attributes: true})`, nil)
	p.Eval(`document.querySelector('`+rate+` input[type=range]').focus()`, nil)
	for range 6 {
		p.Press("ArrowRight", "", 39)
	}
	p.complete()
	p.until(`document.getElementById("difference").textContent.includes("±")`)
	if p.text(`window.wrong`) == "true" {
		t.Error("while replications run, figures of an earlier setting are called equal")
	}
	p.has("what differs", `document.getElementById("between").textContent`, "From A to B: traffic[0].rate 300/s → ")
	p.shoot("pinned", false)
	a, b := p.text(`document.querySelector("#tables .a tbody:last-child").textContent`), p.text(firstCell)
	if a == b {
		t.Error("both sides show the same setting")
	}
	var pairs int
	if p.Eval(`Array.from(document.querySelectorAll("#figures .pair")).filter(function (f) { return f.querySelector(".a svg") && f.querySelector(".b svg"); }).length`, &pairs); pairs < 2 {
		t.Errorf("%d figures are there of both settings", pairs)
	}

	// The link shows the same view.
	hash := p.text(`location.hash`)
	difference := p.text(`document.getElementById("difference").textContent`)
	p.Load("about:blank")
	p.Load(p.url + hash)
	p.complete()
	p.until(`document.querySelector("#tables .a table") && document.getElementById("difference").textContent`)
	if got := p.text(firstCell); got != b {
		t.Errorf("the link shows %q, not %q", got, b)
	}
	if got := p.text(`document.querySelector("#tables .a tbody:last-child").textContent`); got != a {
		t.Error("the link does not show the pinned setting")
	}
	if got := p.text(`document.getElementById("difference").textContent`); got != difference {
		t.Error("the link shows other differences")
	}

	// Copies: the text is the scenario file of the view, and the command sets what differs.
	p.Click("#copy-yaml")
	p.until(`document.getElementById("copied-text").value`)
	yaml := p.text(`document.getElementById("copied-text").value`)
	if f, problems := scenarios.Load("-", []byte(yaml), ".", sim.Catalog()); len(problems) > 0 || f.Scenarios[0].Traffic[0].Options.Rate("rate").String() == "300/s" {
		t.Errorf("the copied file: %v", problems)
	}
	p.Click("#copy-command")
	p.until(`document.getElementById("copied-text").value.startsWith("limitgauge run scenarios.yaml --no-plots --scenario 'fleet at 3x' --set 'traffic[0].rate=")`)
	p.Click("#unpin")
	p.until(`!document.getElementById("difference").textContent`)
	p.quiet()
}

func TestBrowserCurve(t *testing.T) {
	thorough(t)
	p := openPage(t, explorerOf(t, small, "."), "", 1300)
	p.Click(rate + " .tools button:last-child")
	p.until(`document.querySelector('#curve .grid svg')`)
	p.has("what it says", `document.querySelector('#curve .says').textContent`, "values, 4 replications each.")
	var tall float64
	if p.Eval(`document.querySelector('#curve .grid svg').getBoundingClientRect().height`, &tall); tall < 200 {
		t.Errorf("the curve is %g px high", tall)
	}
	p.shoot("curve", false)
	p.quiet()
}

// TestLatency prints how long the answer to a moved knob takes for each scenario of
// the default suite, from the question to the drawn page: what LATENCY=1 asks for.
func TestLatency(t *testing.T) {
	if os.Getenv("LATENCY") == "" {
		t.Skip("only with LATENCY=1: measures for half a minute")
	}
	e := explorerOf(t, "../../scenarios.yaml", "../..")
	p := openPage(t, e, "", 1300)
	for _, name := range e.base.Names() {
		p.choose("#scenario", name)
		p.until(fmt.Sprintf(`document.querySelector("#tables .b caption").textContent.startsWith(%q)`, name))
		p.complete()
		p.Eval(`document.querySelector('[data-path="policy.limit"] input[type=range]').focus()`, nil)
		var times []int
		said := ""
		for range 10 {
			version := p.text(`document.getElementById("state").dataset.version`)
			p.Press("ArrowLeft", "", 37)
			p.until(`document.getElementById("state").dataset.version !== "` + version + `"`)
			ms, err := strconv.Atoi(p.text(`document.getElementById("state").dataset.drawn`))
			if err != nil {
				t.Fatal(err)
			}
			times = append(times, ms)
			if preview := p.text(`document.getElementById("state").dataset.preview`); preview != "" {
				said = preview
			}
		}
		slices.Sort(times)
		t.Logf("%-22s median %4d ms, longest %4d ms; %s", name, times[len(times)/2], times[len(times)-1], said)
	}
}

// TestPicture takes the picture of docs/explore.md, where the environment says.
func TestPicture(t *testing.T) {
	if os.Getenv("SCREENSHOTS") == "" {
		t.Skip("only with SCREENSHOTS: takes a picture")
	}
	p := openPage(t, explorerOf(t, "../../scenarios.yaml", "../.."), "#scenario=steady+3x+on+a+fleet&row=local-divided&row=remote&row=batch-reported&row=rejection-rate-local&row=batch-debt-local&set=traffic%5B0%5D.rate%3D6000%2Fs", 1360)
	p.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 1360, "height": 1060, "deviceScaleFactor": 1, "mobile": false}, nil)
	p.shoot("explore", false)
}

// On a phone nothing is cut off, in light and dark, and sliders are large enough to touch.
func TestBrowserPhone(t *testing.T) {
	thorough(t)
	p := openPage(t, explorerOf(t, small, "."), "", 375)
	p.Eval(`document.querySelectorAll("details").forEach(function (d) { d.open = true; })`, nil)
	p.until(`document.querySelectorAll("details:not([open])").length < 20`)
	p.complete()
	p.Click("#pin")
	p.until(`document.querySelector("#tables .a table")`)
	p.complete()
	var wide int
	if p.Eval(`document.documentElement.scrollWidth`, &wide); wide > 375 {
		t.Errorf("the page is %d px wide and scrolls sideways", wide)
	}
	var small []string
	p.Eval(`Array.from(document.querySelectorAll("input, select, button")).filter(function (e) {
		var r = e.getBoundingClientRect();
		return r.width && !e.closest(".scroll") && (r.height < 18 || r.right > 376);
	}).map(function (e) { return e.outerHTML.slice(0, 80); })`, &small)
	if len(small) > 0 {
		t.Errorf("too small or beyond the edge: %q", small)
	}
	var sizes struct{ Text, Results, Knobs float64 }
	p.Eval(`(function () {
		var texts = Array.from(document.querySelectorAll("#figures svg.plot text"), function (e) {
			return parseFloat(getComputedStyle(e).fontSize) * e.ownerSVGElement.getScreenCTM().a;
		});
		var top = function (id) { return document.getElementById(id).getBoundingClientRect().top; };
		return {Text: Math.min.apply(null, texts), Results: top("results"), Knobs: top("groups")};
	})()`, &sizes)
	if !(sizes.Text >= 10.99) || sizes.Results >= sizes.Knobs {
		t.Errorf("the smallest text of a chart, in px, and the places of results and knobs: %+v", sizes)
	}
	ground := func() string { return p.text(`getComputedStyle(document.body).backgroundColor`) }
	light := ground()
	p.Call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]any{{"name": "prefers-color-scheme", "value": "dark"}}}, nil)
	if ground() == light {
		t.Errorf("light and dark have the same ground, %s", light)
	}
	p.quiet()
}

// When the program has ended, the page says how to start it again.
func TestBrowserStopped(t *testing.T) {
	thorough(t)
	p := openPage(t, explorerOf(t, small, "."), "", 1300)
	p.quiet()
	p.stop()
	p.Eval(`document.querySelector('`+rate+` input[type=range]').focus()`, nil)
	p.Press("ArrowRight", "", 39)
	p.until(`!document.getElementById("dead").hidden`)
	p.has("the page", `document.getElementById("dead").textContent`, "limitgauge has stopped. Start it again with: limitgauge explore scenarios.yaml")
}

// Names of a file are text, also in the page.
func TestBrowserHostileNames(t *testing.T) {
	source := `version: 1
duration: 2s
algorithms:
  "<img src=x onerror=alert(1)>": {preset: gcra}
scenarios:
  - name: "</script><script>alert(2)</script>"
    about: "<b onmouseover=alert(3)>about</b>"
    policy: {limit: 10/s}
    traffic: [{pattern: constant, rate: 20/s}]
    algorithms: ["<img src=x onerror=alert(1)>"]
`
	p := openPage(t, explorerFrom(t, []byte(source), "."), "#scenario=%3Cimg+src=x%3E&set=%3Cscript%3E=1", 1300)
	p.has("the name", `document.getElementById("about").innerHTML`, "&lt;b onmouseover=alert(3)&gt;about&lt;/b&gt;")
	p.has("what the link lacks", `document.getElementById("trouble").textContent`, "These settings of the link cannot run")
	p.has("rows", rowNames, "<img src=x onerror=alert(1)>")
	var images int
	if p.Eval(`document.images.length + document.querySelectorAll("b").length`, &images); images > 0 {
		t.Error("a name became markup")
	}
	p.quiet()
}

// TestAxe runs the rules of axe-core, whose script the environment names.
func TestAxe(t *testing.T) {
	path := os.Getenv("AXE")
	if path == "" {
		t.Skip("only with AXE, the path of axe.min.js")
	}
	rules, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p := openPage(t, explorerOf(t, small, "."), "", 1300)
	p.Call("Page.setBypassCSP", map[string]any{"enabled": true}, nil)
	p.Click("#pin")
	p.until(`document.querySelector("#tables .a table")`)
	p.complete()
	p.Click(rate + " .tools button:last-child")
	p.until(`document.querySelector('#curve svg')`)
	p.Click("#copy-yaml")
	p.until(`document.getElementById("copied-text").value`)
	p.Eval(`document.querySelectorAll("details").forEach(function (d) { d.open = true; })`, nil)
	p.complete()
	p.Eval(string(rules)+"; 0", nil)
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int{1300, 375} {
			p.resize(width)
			p.Call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]any{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
			var found []string
			p.Eval(`axe.run().then(function (r) { return r.violations.map(function (v) { return v.id + ": " + v.help + ": " + v.nodes.slice(0, 3).map(function (n) { return n.html.slice(0, 160) + " " + n.failureSummary; }).join(" | "); }); })`, &found)
			for _, one := range found {
				t.Errorf("%s, %d px: %s", scheme, width, one)
			}
		}
	}
}
