package scenarios

import "strings"

// text is a notation of a quantity that package units parses, as a regular
// expression that is valid in every dialect.
type text struct {
	pattern  string
	wanted   string // what an editor displays if a text does not match
	examples []string
}

func (t text) schema() schema {
	return schema{"pattern": "^(" + t.pattern + ")$", "patternErrorMessage": t.wanted, "examples": t.examples}
}

// written returns a reference to a notation by name. It repeats the type,
// because editors look for it there.
func written(name string) schema {
	return schema{"type": "string", "allOf": []any{ref(name)}, "errorMessage": texts[name].wanted}
}

const (
	number = `[0-9]+(\.[0-9]+)?`
	scaled = number + `[kM]?`
	real   = `[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?`
)

var texts = map[string]text{
	"count": {`-?([0-9]+(\.0+)?|` + number + `[kM])`,
		"want a whole number, such as 10, 2k or 1.5M", []string{"2k", "1.5M"}},
	"decimal": {real, "want a number, such as 1.1", []string{"1.1"}},
	"share": {number + `%?|[0-9]+(\.0+)?/[0-9]+(\.0+)?`,
		"want a share, such as 5%, 0.05 or 1/20", []string{"5%", "1/20"}},
	"duration": {durations(),
		"want a duration with its unit, such as 10ms, 1m30s or 1h; minutes alone are min", []string{"10ms", "1s", "1m30s"}},
	"rate": {scaled + `/` + period(),
		"want a rate, such as 500/s, 30/min or 7/3s", []string{"500/s", "30/min", "2k/s"}},
	"limit": {`([0-9]*[1-9][0-9]*(\.0+)?|` + number + `[kM])/` + period(),
		"want a whole number of requests per window, such as 1000/s, 100/min or 7/3s", []string{"1000/s", "100/min", "7/3s"}},
	"size": {number + `([KMGT]i)?B`,
		"want a size with its unit, such as 256MiB", []string{"256MiB", "1GiB"}},
	"threshold": {`\s*(<=|<|>=|>|==)\s*` + real + `\s*`,
		`want a comparison with a number, such as "<= 10"`, []string{"<= 10", "== 0"}},
	"percentage": {`\s*(<=|<|>=|>|==)\s*` + real + `\s*%?\s*`,
		`want a comparison with a percentage, such as "<= 10"`, []string{"<= 10", "<= 10 %"}},
	"margin": {`\s*\+?([0-9]*[1-9][0-9]*\.?[0-9]*|[0-9]*\.[0-9]*[1-9][0-9]*)([eE][-+]?[0-9]+)?\s*%?\s*`,
		"want a share of the baseline's figure, such as 5%, or an amount in the metric's unit, such as 0.5", []string{"5%", "0.5"}},
}

// durations returns an expression for a duration. Its parts are ordered from
// the largest unit to the smallest, and m means minutes only beside another
// unit.
func durations() string {
	units := []string{"d", "h", "(min|m)", "s", "ms", "(us|µs|μs)", "ns"}
	const minutes = 2
	part := func(i int) string { return number + units[i] }
	// from matches a duration whose largest unit is units[i].
	from := func(i int) string {
		text := part(i)
		for j := i + 1; j < len(units); j++ {
			text += "(" + part(j) + ")?"
		}
		return text
	}
	var smaller []string // durations below a minute
	for i := minutes + 1; i < len(units); i++ {
		smaller = append(smaller, from(i))
	}
	below := strings.Join(smaller, "|")
	return from(0) + "|" + from(1) + "|" + number + "min(" + below + ")?|" + number + "m(" + below + ")|" + below
}

// period returns an expression for the text after the slash of a rate: a unit
// or a duration.
func period() string { return `(d|h|min|s|ms|us|µs|μs|ns|` + durations() + `)` }
