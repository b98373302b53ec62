package formats

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/limitgauge/limitgauge/logs/times"
)

// timeShapes are patterns of times, in the order in which they are looked for.
var timeShapes = []string{
	`\d{4}[-/]\d\d[-/]\d\d(?:[T ]| - )\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z| ?[+-]\d\d:?\d\d)?`,
	`\d\d/[A-Z][a-z]{2}/\d{4}[: ]\d\d:\d\d:\d\d(?:\.\d+)?(?: [+-]\d{4})?`,
	`\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d:\d\d(?:\.\d+)?`,
	`[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}`,
	`[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT`,
	`1\d{9}(?:\.\d+|\d{3})?`,
}

var addressShape = regexp.MustCompile(`[0-9A-Fa-f.:]{3,}`)

// Guess returns a pattern that reads the time and the first address in a line that no
// format fits, or the time alone if it has none, or "" without a time. It is a
// beginning for somebody who knows the lines.
func Guess(line []byte) (pattern string, client bool) {
	timeAt, shape := findTime(line)
	rest := line
	if timeAt != nil { // digits of a time may look like an address
		rest = []byte(string(line[:timeAt[0]]) + strings.Repeat(" ", timeAt[1]-timeAt[0]) + string(line[timeAt[1]:]))
	}
	var addressAt []int
	for _, at := range addressShape.FindAllIndex(rest, -1) {
		at[1] = at[0] + len(address.Clean(bytes.TrimRight(rest[at[0]:at[1]], ".:")))
		if hasIP(rest[at[0]:at[1]]) {
			addressAt = at
			break
		}
	}
	switch {
	case timeAt == nil:
		return "", false
	case addressAt == nil:
		return "^" + before(line[:timeAt[0]]) + "(?P<time>" + shape + ")", false
	}
	first, second := timeAt, addressAt
	groups := []string{"(?P<time>" + shape + ")", `(?P<client_ip>(?:\d+\.){3}\d+|[0-9A-Fa-f:]+:[0-9A-Fa-f:.]+)`}
	if addressAt[0] < timeAt[0] {
		first, second, groups[0], groups[1] = addressAt, timeAt, groups[1], groups[0]
	}
	return "^" + before(line[:first[0]]) + groups[0] + before(line[first[1]:second[0]]) + groups[1], true
}

// findTime returns where the first time of a line lies, and its shape.
func findTime(line []byte) (at []int, shape string) {
	clock := times.NewClock("auto", "")
	for _, shape := range timeShapes {
		if at := regexp.MustCompile(shape).FindIndex(line); at != nil {
			if _, why := clock.Parse(line[at[0]:at[1]]); why == "" {
				return at, shape
			}
		}
	}
	return nil, ""
}

// before returns a pattern of the text in front of a group: all of it, or its last word.
func before(raw []byte) string {
	t := strings.ToValidUTF8(string(raw), "")
	word := strings.TrimRight(t, " ")
	spaces := strings.Repeat(" +", min(1, len(t)-len(word)))
	if at := strings.LastIndexAny(word, " 0123456789'"); at >= 0 {
		return ".*?" + regexp.QuoteMeta(strings.TrimLeft(word[at:], "0123456789'")) + spaces
	}
	return regexp.QuoteMeta(word) + spaces
}
