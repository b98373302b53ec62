package terminal

import (
	"runtime/debug"
	"testing"
)

// TestStampOf checks what each way of building the program records.
func TestStampOf(t *testing.T) {
	checkout := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.modified", Value: modified}}
	}
	for _, c := range []struct {
		name, linked, recorded string
		settings               []debug.BuildSetting
		want                   stamp
	}{
		{"go install of a release", "", "v1.2.3", nil, stamp{"v1.2.3", "unknown"}},
		{"release build", "v1.2.3", "v1.2.3", checkout("false"), stamp{"v1.2.3", "0123456789abcdef"}},
		{"linked version wins", "v1.2.3", "v0.0.0-20260101000000-0123456789ab", checkout("false"), stamp{"v1.2.3", "0123456789abcdef"}},
		{"checkout", "", "v0.0.0-20260101000000-0123456789ab", checkout("false"), stamp{"v0.0.0-20260101000000-0123456789ab", "0123456789abcdef"}},
		{"changed checkout", "", "v0.0.0-20260101000000-0123456789ab+dirty", checkout("true"), stamp{"v0.0.0-20260101000000-0123456789ab+dirty", "0123456789abcdef-dirty"}},
		{"go run", "", "(devel)", nil, stamp{"devel", "unknown"}},
		{"no build info", "", "", nil, stamp{"devel", "unknown"}},
	} {
		if got := stampOf(c.linked, &debug.BuildInfo{Main: debug.Module{Version: c.recorded}, Settings: c.settings}); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
