package logs

import (
	"regexp"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/logs/formats"
)

// The message about lines that no format fits ends in a pattern that reads them. It
// names no format that only resembles them.
func TestGuessedPattern(t *testing.T) {
	const pattern = "--regex '"
	for _, c := range []struct{ line, key string }{
		{`2023/11/14 22:13:00 [error] 7#7: *0 access forbidden by rule, client: 198.51.100.7, server: a, request: "GET / HTTP/1.1"`, "198.51.100.7"},
		{`x-1 -> at 2023-11-14T22:13:00.250Z from 2001:db8::7 GET /`, "2001:db8::7"},
		{`2023-11-14T22:13:00Z 198.51.100.7 GET /a 200`, "198.51.100.7"},
		{`[GIN] 2023/11/14 - 22:13:00 | 200 |     12.3µs |    198.51.100.7 | GET      "/a"`, "198.51.100.7"},
		{`203.0.113.9 >> 14/Nov/2023:22:13:00 +0000 GET /a`, "203.0.113.9"},
		{`lb: 198.51.100.7:4711 [14/Nov/2023:22:13:00.250] fe~ 200`, "198.51.100.7"},
		{`[14/Nov/2023:22:13:00 +0000] 198.51.100.7: "GET / HTTP/1.1" (200)`, "198.51.100.7"},
		{`17 1700000000.5 it's from 198.51.100.7 GET!`, "198.51.100.7"},
	} {
		log := strings.Repeat(c.line+"\n", 4)
		_, err := readText(log, Options{})
		if err == nil || strings.Contains(err.Error(), "looks like") {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		_, guess, ok := strings.Cut(err.Error(), pattern)
		guess = strings.TrimSuffix(guess, "'")
		if _, bad := regexp.Compile(guess); !ok || bad != nil || strings.Contains(guess, "'") {
			t.Errorf("%s: no pattern in %v", c.line, err)
			continue
		}
		r, err := readText(log, Options{Asked: formats.Asked{Pattern: guess}})
		if err != nil || len(r.Time) != 4 || r.KeyNames[0] != c.key {
			t.Errorf("%s: %s: %v", c.line, guess, err)
		}
		if _, err := readText(log, Options{Asked: formats.Asked{Hide: true}}); err == nil || strings.Contains(err.Error(), pattern) {
			t.Errorf("%s: a hidden line is shown: %v", c.line, err)
		}
	}
	for line, want := range map[string]string{
		"Server started":                                                                                 "other lines that have a time; none is found in the first one",
		`198.51.100.7 - GET /a HTTP/1.1 200 5`:                                                           "other lines that have a time; none is found in the first one",
		`[14/Nov/2023 22:13:00] "GET /a HTTP/1.1" 200 5`:                                                 "in which no client's address is found:\n  --shared --regex '^\\[(?P<time>",
		`14-Nov-2023 22:13:00.250 client @0x7f 198.51.100.7#53 (a.example): query`:                       "such as the first one:\n  --regex '",
		`10.0.0.1 198.51.100.7 - - [14/Nov/2023:22:13:00 +0000] "GET / HTTP/1.1" 200 5`:                  "such as the first one:\n  --regex '",
		`2023-11-14 22:13:00,250 WARN [events] type=LOGIN, client=a, ipAddress=198.51.100.7`:             "or read the lines with a pattern:\n  --regex '",
		"7\t2023-11-14T22:13:00Z\tapp\t54.1.2.3\theroku\tat=info method=GET fwd=198.51.100.7 status=200": "or read the lines with a pattern:\n  --regex '",
		"#Software: x\n2023-11-14 22:13:00 | 198.51.100.7":                                               "such as the first one:\n  --regex '",
		"{\n \"time\": \"2023-11-14T22:13:00Z\"\n}":                                                      "no array of records in the JSON document",
	} {
		log := strings.Repeat(line+"\n", 4)
		if line[0] == '{' {
			log = line
		}
		_, err := readText(log, Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
			continue
		}
		if _, guess, ok := strings.Cut(err.Error(), pattern); ok {
			o := formats.Asked{Pattern: strings.TrimSuffix(guess, "'"), Shared: strings.Contains(err.Error(), "--shared")}
			if r, err := readText(log, Options{Asked: o}); err != nil || len(r.Time) != 4 {
				t.Errorf("%s: %s: %v", line, guess, err)
			}
		}
	}
}
