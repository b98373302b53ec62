package explore

import (
	"os"
	"testing"

	"github.com/limitgauge/limitgauge/internal/chromium"
)

func TestLook(t *testing.T) {
	b := chromium.Open(t)
	url := os.Getenv("LOOK")
	b.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 1400, "height": 1000, "deviceScaleFactor": 1, "mobile": false}, nil)
	b.Load(url + "#scenario=steady+3x+on+a+fleet")
	b.Eval(`new Promise(function (done) { setInterval(function () { if (document.querySelector(".badge:not(.preview)")) done(1); }, 50); })`, nil)
	os.WriteFile("/tmp/shots/desk.png", b.Screenshot(false), 0o644)
	b.Click("#pin")
	b.Eval(`new Promise(function (done) { setTimeout(done, 500); })`, nil)
	b.Eval(`(function(){ var s = document.querySelector("[data-path='traffic[0].rate'] input[type=range]"); s.focus(); })()`, nil)
	for range 5 {
		b.Press("ArrowRight", "", 39)
	}
	b.Eval(`new Promise(function (done) { setTimeout(function(){setInterval(function () { if (document.querySelector(".badge:not(.preview)")) done(1); }, 50)}, 500); })`, nil)
	os.WriteFile("/tmp/shots/two.png", b.Screenshot(true), 0o644)
	for _, e := range b.Events {
		switch e.Method {
		case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded":
			t.Errorf("%s %s", e.Method, e.Params)
		}
	}
}
