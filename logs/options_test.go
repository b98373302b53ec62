package logs

import (
	"testing"

	"github.com/limitgauge/limitgauge/logs/times"
)

func TestParseInstant(t *testing.T) {
	for text, want := range map[string]int64{
		"1970-01-02": 86400 * times.Second, " 1970-01-01T00:00:01Z ": times.Second, "1970-01-01 00:00:01.5": 1500000000, "12.5": 12500000000,
		"tomorrow": -1, "": -1, "1970-13-01": -1, "-5": -1,
	} {
		got, err := ParseInstant(text)
		if err == nil && got != want || err != nil && want != -1 {
			t.Errorf("%q: %d %v, want %d", text, got, err, want)
		}
	}
}
