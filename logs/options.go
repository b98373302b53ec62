package logs

import (
	"cmp"
	"math"
	"math/big"
	"os"
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
	_, badZone := times.ParseZone(o.TimeZone)
	_, badLayout := times.ParseLayout(o.TimeLayout)
	_, badPattern := regexp.Compile(o.Pattern)
	if badPattern != nil {
		badPattern = &text.Error{Reason: text.BadOptions, Message: "pattern", Err: badPattern}
	}
	stdin := slices.Index(o.Files, "-")
	return cmp.Or(
		wrongIf(len(o.Files) == 0, "no file to read"),
		wrongIf(slices.Contains(o.Files, ""), "a file name is empty"),
		wrongIf(o.Format != "" && !slices.Contains(formats.Names, o.Format), "unknown format %q: one of %s", o.Format, strings.Join(formats.Names, ", ")),
		wrongIf(o.TimeFormat != "" && !slices.Contains(times.Formats, o.TimeFormat), "unknown time format %q: one of %s", o.TimeFormat, strings.Join(times.Formats, ", ")),
		badLayout,
		wrongIf(o.TimeLayout != "" && o.TimeFormat != "" && o.TimeFormat != "auto", "time layout and time format exclude each other"),
		badZone,
		wrongIf(o.DurationUnit != "" && !slices.Contains(times.Units, o.DurationUnit), "unknown duration unit %q: one of %s", o.DurationUnit, strings.Join(times.Units, ", ")),
		wrongIf(o.Time != "" && o.End != "", "time and end both name the stamp: arrival is the time, or the end minus the duration"),
		wrongIf(o.Time != "" && o.Duration != "", "time is the arrival already: name the stamp with end to subtract the duration"),
		wrongIf(o.End != "" && o.Duration == "", "end needs a duration: arrival is the end minus the duration"),
		wrongIf(slices.Contains(o.Cost, "") || slices.Contains(o.Estimate, ""), "the name of a field in the sum of a cost is empty"),
		wrongIf(len(o.Estimate) > 0 && len(o.Cost) == 0, "estimate fields need cost fields: the cost that becomes known with the answer"),
		wrongIf(o.Answer != "" && len(o.Estimate) == 0, "an answer field needs estimate fields: without them, costs are known on arrival"),
		wrongIf(o.Verdict == "" && len(o.Rejected) > 0, "values that mean rejected need the name of the verdict field"),
		wrongIf(slices.Contains(o.Rejected, ""), "a value that means rejected is empty"),
		wrongIf(o.Verdict != "" && (o.Repeat > 1 || o.Copies > 1 || o.Keep.Num != o.Keep.Den || o.Speed.Num != o.Speed.Den),
			"the verdicts of a log are those on its own traffic: the verdict field excludes speed, repeat, copies and keep"),
		wrongIf(o.Malformed != "" && !slices.Contains(MalformedRules, o.Malformed), "unknown rule %q for malformed lines: one of %s", o.Malformed, strings.Join(MalformedRules, ", ")),
		wrongIf(o.Key != "" && len(o.Keys) > 0, "key field and key fields exclude each other"),
		wrongIf(slices.Contains(o.Keys, ""), "the name of a key field is empty"),
		wrongIf(o.WrongCondition() != "", "where %q: want FIELD=PATTERN, such as path=/login*", o.WrongCondition()),
		wrongIf(o.PerFile && len(o.KeyFields()) > 0, "per file and a key field exclude each other"),
		wrongIf(o.Pattern == "" && o.Format == "regex", "format regex needs a pattern"),
		wrongIf(o.Pattern != "" && o.Format != "regex" && o.format() != "auto", "a pattern goes with format regex, not %s", o.Format),
		wrongIf(o.Records != "" && o.Format != "json" && o.format() != "auto", "records is the path of an array in a JSON document, not for format %s", o.Format),
		wrongIf(o.Records != "" && o.Pattern != "", "records and a pattern exclude each other"),
		wrongIf(o.Start < 0 || o.Until < 0, "start and until must not be before 1970"),
		wrongIf(o.Until != 0 && o.Until <= o.Start, "until must be after start"),
		wrongIf(o.Repeat < 0 || o.Copies < 0, "repeat and copies must be at least 1"),
		wrongIf(o.Speed != (units.Fraction{}) && (o.Speed.Num <= 0 || o.Speed.Den <= 0), "speed must be above 0"),
		wrongIf(o.Keep != (units.Fraction{}) && (o.Keep.Num <= 0 || o.Keep.Num > o.Keep.Den), "keep must be above 0 and at most 1"),
		wrongIf(stdin >= 0 && slices.Contains(o.Files[stdin+1:], "-"), "standard input can be read only once"),
		badPattern)
}

// wrongIf returns an error of wrong options if a condition holds, else nil.
func wrongIf(condition bool, format string, args ...any) error {
	if condition {
		return text.WrongOptions(format, args...)
	}
	return nil
}

func (o *Options) format() string {
	return cmp.Or(o.Format, "auto")
}

// Expand replaces names that contain the glob characters *, ? or [ by the files
// they match, in name order. A name that is a file itself stays.
func Expand(names []string) ([]string, error) {
	var out []string
	for _, name := range names {
		if _, missing := os.Lstat(name); name == "-" || !strings.ContainsAny(name, "*?[") || missing == nil {
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
	// Parse in units of 1e-9, so that whole billionths are integers.
	x, why := text.ParseDecimal([]byte(strings.TrimSpace(raw)), 9)
	if why != "" || x.More || x.Floor == 0 {
		return units.Fraction{}, bad
	}
	speed := big.NewRat(x.Floor, 1e9)
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
	c := times.NewClock("auto", "")
	ns, why := c.Parse([]byte(t))
	if why != "" {
		return 0, text.WrongOptions("%s is not an instant (%s): write 2006-01-02T15:04:05Z", strconv.Quote(raw), why)
	}
	return ns, nil
}

// until returns the end of the filter, or an instant after every stamp.
func (o *Options) until() int64 {
	return cmp.Or(o.Until, math.MaxInt64)
}
