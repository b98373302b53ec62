package logs

import (
	"math"
	"math/big"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/units"
)

// TimeFormats and DurationUnits list the values of the options of those names.
var (
	TimeFormats   = []string{"auto", "rfc3339", "clf", "epoch-s", "epoch-ms", "epoch-us", "epoch-ns", "relative-s", "relative-ms", "relative-us", "relative-ns", "s", "ms", "us", "ns"}
	DurationUnits = []string{"s", "ms", "us", "ns"}
)

// Validate returns the first error of the options. It opens no file.
func (o *Options) Validate() error {
	switch {
	case len(o.Files) == 0:
		return badOptions("no file to read")
	case slices.Contains(o.Files, ""):
		return badOptions("a file name is empty")
	case o.Format != "" && !slices.Contains(Formats, o.Format):
		return badOptions("unknown format %q: one of %s", o.Format, strings.Join(Formats, ", "))
	case o.TimeFormat != "" && !slices.Contains(TimeFormats, o.TimeFormat):
		return badOptions("unknown time format %q: one of %s", o.TimeFormat, strings.Join(TimeFormats, ", "))
	case o.zoneError() != nil:
		return o.zoneError()
	case o.DurationUnit != "" && !slices.Contains(DurationUnits, o.DurationUnit):
		return badOptions("unknown duration unit %q: one of %s", o.DurationUnit, strings.Join(DurationUnits, ", "))
	case o.Time != "" && o.End != "":
		return badOptions("time and end both name the stamp: arrival is the time, or the end minus the duration")
	case o.Time != "" && o.Duration != "":
		return badOptions("time is the arrival already: name the stamp with end to subtract the duration")
	case o.End != "" && o.Duration == "":
		return badOptions("end needs a duration: arrival is the end minus the duration")
	case slices.Contains(o.Cost, "") || slices.Contains(o.Estimate, ""):
		return badOptions("the name of a field in the sum of a cost is empty")
	case len(o.Estimate) > 0 && len(o.Cost) == 0:
		return badOptions("estimate fields need cost fields: the cost that becomes known with the answer")
	case o.Answer != "" && len(o.Estimate) == 0:
		return badOptions("an answer field needs estimate fields: without them, costs are known on arrival")
	case o.verdictError() != nil:
		return o.verdictError()
	case o.Malformed != "" && !slices.Contains(MalformedRules, o.Malformed):
		return badOptions("unknown rule %q for malformed lines: one of %s", o.Malformed, strings.Join(MalformedRules, ", "))
	case o.Key != "" && len(o.Keys) > 0:
		return badOptions("key field and key fields exclude each other")
	case slices.Contains(o.Keys, ""):
		return badOptions("the name of a key field is empty")
	case o.PerFile && len(o.keyFields()) > 0:
		return badOptions("per file and a key field exclude each other")
	case o.Pattern == "" && o.Format == "regex":
		return badOptions("format regex needs a pattern")
	case o.Pattern != "" && o.Format != "regex" && o.format() != "auto":
		return badOptions("a pattern goes with format regex, not %s", o.Format)
	case o.Records != "" && o.Format != "json" && o.format() != "auto":
		return badOptions("records is the path of an array in a JSON document, not for format %s", o.Format)
	case o.Records != "" && o.Pattern != "":
		return badOptions("records and a pattern exclude each other")
	case o.Start < 0 || o.Until < 0:
		return badOptions("start and until must not be before 1970")
	case o.Until != 0 && o.Until <= o.Start:
		return badOptions("until must be after start")
	case o.Repeat < 0 || o.Copies < 0:
		return badOptions("repeat and copies must be at least 1")
	case o.Speed != (units.Fraction{}) && (o.Speed.Num <= 0 || o.Speed.Den <= 0):
		return badOptions("speed must be above 0")
	case o.Keep != (units.Fraction{}) && (o.Keep.Num <= 0 || o.Keep.Num > o.Keep.Den):
		return badOptions("keep must be above 0 and at most 1")
	}
	stdins := 0
	for _, f := range o.Files {
		if f == "-" {
			stdins++
		}
	}
	if stdins > 1 {
		return badOptions("standard input can be read only once")
	}
	if o.Pattern != "" {
		if _, err := regexp.Compile(o.Pattern); err != nil {
			return &Error{Reason: BadOptions, Message: "pattern", Err: err}
		}
	}
	return nil
}

func (o *Options) zoneError() error {
	_, err := ParseZone(o.TimeZone)
	return err
}

func (o *Options) format() string {
	if o.Format == "" {
		return "auto"
	}
	return o.Format
}

// Expand replaces names that contain the glob characters *, ? or [ by the files
// they match, in name order. A name that is a file itself stays.
func Expand(names []string) ([]string, error) {
	var out []string
	for _, name := range names {
		if name == "-" || !strings.ContainsAny(name, "*?[") || exists(name) {
			out = append(out, name)
			continue
		}
		found, err := filepath.Glob(name)
		if err != nil {
			return nil, &Error{Reason: BadOptions, File: name, Err: err}
		}
		if len(found) == 0 {
			return nil, &Error{Reason: BadOptions, File: name, Message: "matches no file"}
		}
		out = append(out, found...)
	}
	return out, nil
}

// ParseSpeed parses a positive decimal such as 2, 0.25 or 1e3 exactly. The
// fraction is in lowest terms.
func ParseSpeed(text string) (units.Fraction, error) {
	bad := badOptions("speed %q: a decimal number above 0 with at most 9 digits after the point", text)
	var x exact
	// Parse in units of 1e-9, so that whole billionths are integers.
	if why := parseDecimal([]byte(strings.TrimSpace(text)), 9, &x); why != "" || len(x.frac) > 0 || x.ns == 0 {
		return units.Fraction{}, bad
	}
	speed := big.NewRat(x.ns, 1e9)
	return units.Fraction{Num: speed.Num().Int64(), Den: speed.Denom().Int64()}, nil
}

// ParseInstant parses an instant from the command line: RFC 3339 (UTC without
// an offset), a date, Common Log, or a number of seconds since 1970 or, in a
// relative recording, since its start.
func ParseInstant(text string) (int64, error) {
	t := strings.TrimSpace(text)
	if len(t) == len("2006-01-02") && strings.Count(t, "-") == 2 {
		t += "T00:00:00"
	}
	var x exact
	c := newClock("auto")
	if why := c.parse([]byte(t), &x); why != "" {
		return 0, badOptions("%s is not an instant (%s): write 2006-01-02T15:04:05Z", strconv.Quote(text), why)
	}
	return x.ns, nil
}

// until returns the end of the filter, or an instant after every stamp.
func (o *Options) until() int64 {
	if o.Until == 0 {
		return math.MaxInt64
	}
	return o.Until
}
