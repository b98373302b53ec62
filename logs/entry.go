package logs

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs/formats"
	"github.com/limitgauge/limitgauge/logs/text"
	"github.com/limitgauge/limitgauge/logs/times"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry declares the trace pattern for the scenario language.
func Entry() catalog.Entry {
	text := func(name, doc string) catalog.Field {
		return catalog.Field{Name: name, Kind: catalog.String, Doc: doc}
	}
	list := func(name, doc string) catalog.Field {
		return catalog.Field{Name: name, Kind: catalog.List, Elem: &catalog.Field{Name: name, Kind: catalog.String}, Doc: doc}
	}
	return catalog.Entry{
		Name:    "trace",
		Summary: "replays recorded traffic: access logs, CSV or JSON",
		Idea: "Reads the requests of one or more recordings (gzip, bzip2 or not compressed), merges them by time and replays them with their recorded times, keys, clients and costs. " +
			"Malformed records are counted, and the first ones are shown.",
		Bound: "Time stamps are exact to the nanosecond. The order within one unit of the recording's own time stamps is unknown; a warning appears where this matters.",
		Fields: []catalog.Field{
			text("file", "the recording, relative to the scenario file; globs are allowed"),
			list("files", "several recordings, merged by time"),
			{Name: "format", Kind: catalog.Enum, Enum: formats.Names, Default: "auto", Doc: "how the recording is written; auto chooses the format of each file by a sample of its lines"},
			text("regex", "for format regex: a regular expression whose named groups are the fields"),
			text("records", "for a JSON document: the path of the array that holds the records"),
			text("time_field", "field that holds the arrival time; by default the format's own or a well-known name"),
			text("end_field", "field that holds the time at which a request ended; arrival is this minus the duration"),
			text("duration_field", "field that holds how long a request took"),
			{Name: "duration_unit", Kind: catalog.Enum, Enum: times.Units, Doc: "unit of the duration; by default that of a numeric time_format, else s"},
			text("key_field", "field that holds the key: by default the client's address; also remote_user, method, path, status, user_agent, or a JSON path, a column, a group"),
			list("key_fields", "several fields whose values together are the key, in place of key_field"),
			text("client_field", "field that holds the gateway or process that received a request"),
			text("verdict_field", "what the limiter that wrote the recording decided, such as status: it is judged in a row recorded"),
			list("rejected", "values of verdict_field that mean rejected; 429 and 503 by default"),
			list("cost_fields", "fields whose sum is a request's cost, also as input+output; 1 by default"),
			list("where", "conditions FIELD=PATTERN on method, path, status, host or any other field, with * for any characters, such as path=/login*; a path without * is a prefix; of several patterns of one field one must fit; other requests are left out"),
			list("estimate_fields", "fields whose sum is what was known of the cost when the request arrived; the cost then becomes known with the answer"),
			{Name: "estimate_plus", Needs: catalog.Needs{"estimate_fields: set"}, Kind: catalog.Int, Unit: "tokens", Default: "0", Min: "0", Max: "1000000000", Doc: "tokens that the estimate has in addition, for example the longest answer that is asked for"},
			text("answer_field", "field that holds the time from the request to the end of its answer, in duration_unit"),
			{Name: "time_format", Kind: catalog.Enum, Enum: times.Formats, Default: "auto", Doc: "how times are written; epoch times count from 1970, relative times from the start of the recording; s, ms, us and ns are the same as epoch-s ..."},
			text("time_layout", "how dates are written, in place of time_format: in the words of Go (02.01.2006 15:04:05) or of strftime (%d.%m.%Y %H:%M:%S)"),
			text("time_zone", "zone of times without one: a name such as Europe/Berlin or an offset such as +02:00; UTC by default"),
			{Name: "per_file", Kind: catalog.Bool, Default: "false", Doc: "use the name of the file as the key"},
			{Name: "malformed", Kind: catalog.Enum, Enum: MalformedRules, Default: "warn", Doc: "what happens to a file of which more than half is malformed: warn refuses it, allow reads the rest; a file with more than 1 % brings a warning in any case"},
			{Name: "start", Kind: catalog.Time, Doc: "omit requests before this instant"},
			{Name: "until", Kind: catalog.Time, Doc: "omit requests at or after this instant"},
			{Name: "rebase", Kind: catalog.Bool, Default: "false", Doc: "shift the first request to time 0; otherwise times stay Unix times"},
			{Name: "speed", Kind: catalog.String, Default: "1", Doc: "factor on the speed: 2 replays twice as fast; a decimal above 0"},
			{Name: "repeat", Kind: catalog.Int, Default: "1", Min: "1", Max: "1000000", Doc: "number of repetitions of the recording; each starts a whole number of seconds after the previous one"},
			{Name: "copies", Kind: catalog.Int, Default: "1", Min: "1", Max: "1000000", Doc: "number of copies of each request, sent at its instant"},
			{Name: "keep", Kind: catalog.Share, Min: "0.000001", Max: "1", Doc: "share of the requests to send; each copy is selected separately and the same way in every run, so copies: 3 with keep: 50% gives 1.5 times the recorded rate; by default all"},
		},
	}
}

// OptionsFrom converts the bound fields of Entry to Options. File names are
// relative to dir. It opens no file, but expands globs.
func OptionsFrom(v catalog.Values, dir string) (Options, error) { return OptionsWith(v, dir, nil) }

// OptionsWith is OptionsFrom for logs that are somewhere else.
func OptionsWith(v catalog.Values, dir string, places *Places) (Options, error) {
	names, err := FileNames(v, dir)
	if err != nil {
		return Options{}, err
	}
	o := Options{Places: places}
	v.Read(&o)
	v.Read(&o.Asked)
	o.Keys, o.Rejected, o.Where = listed(v, "key_fields"), listed(v, "rejected"), listed(v, "where")
	o.Cost = slices.Concat(lists.Map(listed(v, "cost_fields"), terms)...)
	o.Estimate = slices.Concat(lists.Map(listed(v, "estimate_fields"), terms)...)
	if o.Files, err = places.expand(names); err != nil {
		return o, err
	}
	if v.Set("speed") {
		if o.Speed, err = ParseSpeed(v.String("speed")); err != nil {
			return o, err
		}
	}
	return o, o.Validate()
}

// listed returns the texts of an option that is a list, nil if it is not set.
func listed(v catalog.Values, option string) []string {
	return lists.Map(v.List(option), func(text any) string { return text.(string) })
}

// FileNames returns the names of files that the bound fields of Entry have, relative to dir.
// Some may be globs.
func FileNames(v catalog.Values, dir string) (names []string, err error) {
	if v.Set("file") {
		names = append(names, v.String("file"))
	}
	names = append(names, listed(v, "files")...)
	switch {
	case v.Set("file") && v.Set("files"):
		return nil, text.WrongOptions("file and files exclude each other")
	case len(names) == 0:
		return nil, text.WrongOptions("trace needs a file, or files")
	}
	for i, name := range names {
		if name != "-" && name != "" && !filepath.IsAbs(name) {
			names[i] = filepath.Join(dir, name)
		}
	}
	return names, nil
}

// terms returns the fields of a sum such as input+output. A backslash before a plus
// makes it part of a name.
func terms(sum string) (fields []string) {
	if !strings.Contains(sum, "+") {
		return []string{sum}
	}
	const plus = "\x00"
	for term := range strings.SplitSeq(strings.ReplaceAll(sum, `\+`, plus), "+") {
		fields = append(fields, strings.ReplaceAll(strings.TrimSpace(term), plus, "+"))
	}
	return fields
}
