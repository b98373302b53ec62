package explore

import (
	"context"
	"net"
	"os"
	"testing"

	"github.com/limitgauge/limitgauge/internal/chromium"
	"github.com/limitgauge/limitgauge/results"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// explorerOf returns an Explorer of a scenario file.
func explorerOf(t testing.TB, name, dir string) *Explorer {
	t.Helper()
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	f, problems := scenarios.Load(name, source, dir, sim.Catalog())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	e, problems, err := New(context.Background(), f, Options{
		Name: "scenarios.yaml", Catalog: sim.Catalog(), Metrics: measure.Metrics(), Again: "limitgauge explore scenarios.yaml",
		Stamp: func(f *scenarios.File, rerun string) results.Stamp {
			s := sim.StampOf(f)
			s.Rerun = rerun
			return s
		},
	})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	t.Cleanup(e.Close)
	return e
}

// serve serves the page of a scenario file and returns its address.
func serve(t *testing.T, e *Explorer) (url string, s *Server, stop func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if s, err = NewServer(e, l.Addr(), nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(stop)
	return "http://" + l.Addr().String() + "/", s, stop
}

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
