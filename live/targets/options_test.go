package targets

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

func TestOptions(t *testing.T) {
	kind := catalog.Entry{Name: "rls", Fields: []catalog.Field{
		{Name: "domain", Kind: catalog.String, Required: true},
		{Name: "descriptors", Kind: catalog.List, Elem: &catalog.Field{Kind: catalog.String}},
		{Name: "timeout", Kind: catalog.Duration, Min: "1ms", Max: "1h"},
		{Name: "on_timeout", Kind: catalog.Enum, Enum: []string{"fail", "admit", "reject"}},
		{Name: "tls", Kind: catalog.Bool},
	}}
	got, err := Options(&kind, []string{"domain=a=b", "descriptors=x={key}", "timeout=50ms", "descriptors=y=1", "on_timeout=admit", "tls=true"})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"domain": "a=b", "descriptors": []any{"x={key}", "y=1"}, "timeout": int64(50e6), "on_timeout": "admit", "tls": true}
	values := map[string]any{}
	for name, v := range got {
		values[name] = v.V
	}
	if d := cmp.Diff(want, values); d != "" {
		t.Error(d)
	}
	for text, want := range map[string]string{
		"timeout": "want NAME=VALUE", "time=1s": `rls has no option "time" (did you mean "timeout"?): want domain, descriptors`, "timeout=0s": `timeout: must be from 1ms to 1h`,
		"timeout=5": `timeout: "5"`, "on_timeout=pass": "pass is not one of fail, admit, reject", "tls=yes": "yes is not true, false, on or off", "domain=again": "domain: it is given twice",
	} {
		if _, err := Options(&kind, []string{"domain=a", text}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	for text, within := range map[string]bool{"999999ns": false, "1ms": true, "1000001ns": true, "3599s": true, "1h": true, "3600001ms": false} {
		if _, err := Options(&kind, []string{"domain=a", "timeout=" + text}); (err == nil) != within {
			t.Errorf("a timeout of %s: %v", text, err)
		}
	}
	if _, err := Options(&kind, nil); err == nil || !strings.Contains(err.Error(), "rls needs domain") {
		t.Errorf("without a domain: %v", err)
	}
}
