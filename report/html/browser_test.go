package html

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/internal/testing/chromium"
	"github.com/limitgauge/limitgauge/sim/results"
)

// browser is a browser of a test.
type browser struct {
	*chromium.Browser
	t *testing.T
}

func openBrowser(t *testing.T) browser {
	t.Helper()
	return browser{chromium.Open(t), t}
}

// quiet fails the test if the page wrote to the console, threw an error, opened
// a dialog or requested any other resource.
func (b browser) quiet(path string) {
	b.t.Helper()
	asked := 0
	for _, e := range b.Events {
		switch e.Method {
		case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Page.javascriptDialogOpening":
			b.t.Errorf("%s: %s", e.Method, e.Params)
		case "Network.requestWillBeSent":
			var params struct{ Request struct{ URL string } }
			if err := json.Unmarshal(e.Params, &params); err != nil {
				b.t.Fatal(err)
			}
			asked++
			if url := params.Request.URL; url != "file://"+path && url != "data:," {
				b.t.Errorf("the page asked for %s", url)
			}
		}
	}
	if asked == 0 {
		b.t.Error("no request was seen, not even the page's own: the test watches nothing")
	}
}

func writePage(t *testing.T, doc *results.Document) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(path, []byte(render(t, doc)), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	tableID = "#scenario-fleet-table"
	names   = `Array.from(document.querySelectorAll("` + tableID + ` tbody th")).map(function (th) { return th.textContent; })`
	orders  = `Array.from(document.querySelectorAll("` + tableID + ` thead th")).map(function (th) { return th.getAttribute("aria-sort"); })`
)

func TestBrowser(t *testing.T) {
	b := openBrowser(t)
	path := writePage(t, small())
	b.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 1200, "height": 900, "deviceScaleFactor": 1, "mobile": false}, nil)
	b.LoadFile(path)

	rows := func(want ...string) {
		t.Helper()
		var got []string
		if b.Eval(names, &got); !slices.Equal(got, want) {
			t.Errorf("rows %v, want %v", got, want)
		}
	}
	sorted := func(column int, want string) {
		t.Helper()
		var got []string
		b.Eval(orders, &got)
		for i, order := range got {
			if i == column && order != want || i != column && order != "none" {
				t.Errorf("aria-sort %v, want %s in column %d alone", got, want, column)
			}
		}
	}
	over := tableID + " thead th:nth-child(2) button"
	rows("reference", "batch", "debt", "window")
	b.Click(over)
	sorted(1, "ascending")
	rows("reference", "window", "debt", "batch")
	b.Click(over)
	sorted(1, "descending")
	rows("reference", "batch", "debt", "window")

	// By keyboard alone: press Tab to reach the next column head, then Enter,
	// then space.
	b.Press("Tab", "", 9)
	b.Press("Enter", "\r", 13)
	sorted(2, "ascending")
	rows("reference", "window", "debt", "batch")
	b.Press(" ", " ", 32)
	sorted(2, "descending")
	var said string
	if b.Eval(`document.getElementById("sorted").textContent`, &said); said != "sorted by burst excess req, descending" {
		t.Errorf("a screen reader hears %q", said)
	}
	b.Press("Enter", "\r", 13)
	sorted(2, "none")
	rows("reference", "batch", "debt", "window")

	// Rows without a value come last in either direction.
	calls := tableID + " thead th:nth-child(9) button"
	b.Click(calls)
	rows("reference", "batch", "debt", "window")
	b.Click(calls)
	sorted(8, "descending")
	rows("reference", "batch", "debt", "window")

	// Values are shown by pointer and by keyboard.
	readout := func(figure int, want string) {
		t.Helper()
		var got string
		b.Eval(`document.querySelectorAll("#scenario-fleet figure")[`+string(rune('0'+figure))+`].querySelector(".readout").textContent`, &got)
		if !strings.Contains(got, want) {
			t.Errorf("readout %q, want %q in it", got, want)
		}
	}
	b.Eval(`document.querySelector("#scenario-fleet svg[data-values]").focus()`, nil)
	b.Press("ArrowRight", "", 39)
	b.Press("ArrowRight", "", 39)
	b.Press("ArrowRight", "", 39)
	readout(0, "reference, from 2 s to 3 s: offered 290/s, admitted 110/s, limit 100/s")
	b.Click("#scenario-fleet svg[data-values]") // just before its middle
	readout(0, "reference, from 1 s to 2 s: offered 310/s, admitted 91/s")
	b.Click("#scenario-fleet figure:nth-of-type(2) .mark:nth-of-type(2) .hit")
	readout(1, "batch, over-limit: 30, 95 % interval 29 to 31")

	// The colours follow the reader's colour scheme.
	ground := func() (color string) {
		b.Eval(`getComputedStyle(document.body).backgroundColor`, &color)
		return color
	}
	light := ground()
	b.Call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]any{{"name": "prefers-color-scheme", "value": "dark"}}}, nil)
	if dark := ground(); dark == light {
		t.Errorf("light and dark have the same ground, %s", dark)
	}
	b.Call("Emulation.setEmulatedMedia", map[string]any{"media": "print"}, nil)
	if paper := ground(); paper != "rgb(255, 255, 255)" {
		t.Errorf("printed in dark mode the ground is %s", paper)
	}
	var wide bool
	b.Call("Emulation.setEmulatedMedia", map[string]any{}, nil)
	b.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": false}, nil)
	if b.Eval(`document.documentElement.scrollWidth > 400`, &wide); wide {
		t.Error("on a narrow screen the whole page scrolls sideways")
	}
	b.quiet(path)
}

// On a phone the whole caption of each table is on the screen, also when the
// table is scrolled sideways.
func TestBrowserCaptionsOnAPhone(t *testing.T) {
	b := openBrowser(t)
	b.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": true}, nil)
	doc := small()
	doc.Scenarios[0].Name = "a fleet of gateways in front of a service that has a long name"
	path := writePage(t, doc)
	b.LoadFile(path)
	b.Eval(`document.querySelectorAll("details").forEach(function (d) { d.open = true; })`, nil)
	const cut = `Array.from(document.querySelectorAll("caption")).filter(function (c) {
		if (%t) c.closest(".scroll").scrollLeft = 1e6;
		var text = document.createRange();
		text.selectNodeContents(c);
		var r = text.getBoundingClientRect();
		return r.left < 0 || r.right > innerWidth;
	}).map(function (c) { return c.textContent; })`
	for _, scrolled := range []bool{false, true} {
		var captions []string
		if b.Eval(fmt.Sprintf(cut, scrolled), &captions); len(captions) > 0 {
			t.Errorf("scrolled: %t: cut off at 360 px: %q", scrolled, captions)
		}
	}
	var tables int
	if b.Eval(`document.querySelectorAll("#verdict caption").length`, &tables); tables == 0 {
		t.Error("the page has no table of verdicts")
	}
	b.quiet(path)
}

// Scripts in a document's texts do not run, and the page's own script still
// runs.
func TestBrowserHostileText(t *testing.T) {
	b := openBrowser(t)
	path := writePage(t, poisoned())
	b.LoadFile(path)
	var got struct {
		Hacked  bool
		Buttons int
		Images  int
	}
	b.Eval(`({Hacked: "hacked" in window, Buttons: document.querySelectorAll("th button").length, Images: document.images.length})`, &got)
	if got.Hacked || got.Images > 0 || got.Buttons == 0 {
		t.Errorf("%+v", got)
	}
	b.quiet(path)
}

// The page is complete without scripts.
func TestBrowserWithoutScript(t *testing.T) {
	b := openBrowser(t)
	b.Call("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	path := writePage(t, small())
	b.LoadFile(path)
	var got struct{ Buttons, Readouts, Rows, Plots int }
	b.Eval(`({Buttons: document.querySelectorAll("button").length, Readouts: document.querySelectorAll(".readout").length,
		Rows: document.querySelectorAll("table.sortable tbody tr").length, Plots: Array.from(document.querySelectorAll(".grid > svg")).filter(function (e) { return e.getBoundingClientRect().height > 50; }).length})`, &got)
	if got.Buttons != 0 || got.Readouts != 0 || got.Rows != 6 || got.Plots < 20 {
		t.Errorf("%+v", got)
	}
	b.quiet(path)
}
