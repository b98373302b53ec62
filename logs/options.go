package logs

import (
	"math"
	"math/big"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/logs/formats"
	"github.com/limitgauge/limitgauge/logs/text"
	"github.com/limitgauge/limitgauge/logs/times"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Validate returns the first error of the options. It opens no file.
func (o *Options) Validate() error {
	switch {
	case len(o.Files) == 0:
		return text.WrongOptions("no file to read")
	case slices.Contains(o.Files, ""):
		return text.WrongOptions("a file name is empty")
	case o.Format != "" && !slices.Contains(formats.Names, o.Format):
		return text.WrongOptions("unknown format %q: one of %s", o.Format, strings.Join(formats.Names, ", "))
	case o.TimeFormat != "" && !slices.Contains(times.Formats, o.TimeFormat):
		return text.WrongOptions("unknown time format %q: one of %s", o.TimeFormat, strings.Join(times.Formats, ", "))
	case o.zoneError() != nil:
		return o.zoneError()
	case o.DurationUnit != "" && !slices.Contains(times.Units, o.DurationUnit):
		return text.WrongOptions("unknown duration unit %q: one of %s", o.DurationUnit, strings.Join(times.Units, ", "))
	case o.Time != "" && o.End != "":
		return text.WrongOptions("time and end both name the stamp: arrival is the time, or the end minus the duration")
	case o.Time != "" && o.Duration != "":
		return text.WrongOptions("time is the arrival already: name the stamp with end to subtract the duration")
	case o.End != "" && o.Duration == "":
		return text.WrongOptions("end needs a duration: arrival is the end minus the duration")
	case slices.Contains(o.Cost, "") || slices.Contains(o.Estimate, ""):
		return text.WrongOptions("the name of a field in the sum of a cost is empty")
	case len(o.Estimate) > 0 && len(o.Cost) == 0:
		return text.WrongOptions("estimate fields need cost fields: the cost that becomes known with the answer")
	case o.Answer != "" && len(o.Estimate) == 0:
		return text.WrongOptions("an answer field needs estimate fields: without them, costs are known on arrival")
	case o.verdictError() != nil:
		return o.verdictError()
	case o.Malformed != "" && !slices.Contains(MalformedRules, o.Malformed):
		return text.WrongOptions("unknown rule %q for malformed lines: one of %s", o.Malformed, strings.Join(MalformedRules, ", "))
	case o.Key != "" && len(o.Keys) > 0:
		return text.WrongOptions("key field and key fields exclude each other")
	case slices.Contains(o.Keys, ""):
		return text.WrongOptions("the name of a key field is empty")
	case o.PerFile && len(o.KeyFields()) > 0:
		return text.WrongOptions("per file and a key field exclude each other")
	case o.Pattern == "" && o.Format == "regex":
		return text.WrongOptions("format regex needs a pattern")
	case o.Pattern != "" && o.Format != "regex" && o.format() != "auto":
		return text.WrongOptions("a pattern goes with format regex, not %s", o.Format)
	case o.Records != "" && o.Format != "json" && o.format() != "auto":
		return text.WrongOptions("records is the path of an array in a JSON document, not for format %s", o.Format)
	case o.Records != "" && o.Pattern != "":
		return text.WrongOptions("records and a pattern exclude each other")
	case o.Start < 0 || o.Until < 0:
		return text.WrongOptions("start and until must not be before 1970")
	case o.Until != 0 && o.Until <= o.Start:
		return text.WrongOptions("until must be after start")
	case o.Repeat < 0 || o.Copies < 0:
		return text.WrongOptions("repeat and copies must be at least 1")
	case o.Speed != (units.Fraction{}) && (o.Speed.Num <= 0 || o.Speed.Den <= 0):
		return text.WrongOptions("speed must be above 0")
	case o.Keep != (units.Fraction{}) && (o.Keep.Num <= 0 || o.Keep.Num > o.Keep.Den):
		return text.WrongOptions("keep must be above 0 and at most 1")
	}
	if i := slices.Index(o.Files, "-"); i >= 0 && slices.Contains(o.Files[i+1:], "-") {
		return text.WrongOptions("standard input can be read only once")
	}
	if o.Pattern != "" {
		if _, err := regexp.Compile(o.Pattern); err != nil {
			return &text.Error{Reason: text.BadOptions, Message: "pattern", Err: err}
		}
	}
	return nil
}

func (o *Options) zoneError() error {
	_, err := times.ParseZone(o.TimeZone)
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
			return nil, &text.Error{Reason: text.BadOptions, File: name, Err: err}
		}
		if len(found) == 0 {
			return nil, &text.Error{Reason: text.BadOptions, File: name, Message: "matches no file"}
		}
		out = append(out, found...)
	}
	return out, nil
}

// ParseSpeed parses a positive decimal such as 2, 0.25 or 1e3 exactly. The
// fraction is in lowest terms.
func ParseSpeed(raw string) (units.Fraction, error) {
	bad := text.WrongOptions("speed %q: a decimal number above 0 with at most 9 digits after the point", raw)
	var x text.Exact
	// Parse in units of 1e-9, so that whole billionths are integers.
	if why := text.ParseDecimal([]byte(strings.TrimSpace(raw)), 9, &x); why != "" || len(x.Frac) > 0 || x.Ns == 0 {
		return units.Fraction{}, bad
	}
	speed := big.NewRat(x.Ns, 1e9)
	return units.Fraction{Num: speed.Num().Int64(), Den: speed.Denom().Int64()}, nil
}

// ParseInstant parses an instant from the command line: RFC 3339 (UTC without
// an offset), a date, Common Log, or a number of seconds since 1970 or, in a
// relative recording, since its start.
func ParseInstant(raw string) (int64, error) {
	t := strings.TrimSpace(raw)
	if len(t) == len("2006-01-02") && strings.Count(t, "-") == 2 {
		t += "T00:00:00"
	}
	var x text.Exact
	c := times.NewClock("auto")
	if why := c.Parse([]byte(t), &x); why != "" {
		return 0, text.WrongOptions("%s is not an instant (%s): write 2006-01-02T15:04:05Z", strconv.Quote(raw), why)
	}
	return x.Ns, nil
}

// until returns the end of the filter, or an instant after every stamp.
func (o *Options) until() int64 {
	if o.Until == 0 {
		return math.MaxInt64
	}
	return o.Until
}
