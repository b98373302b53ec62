package inputs

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/logs"
)

// Reading holds the flags that say how recorded logs are read, and which field is
// limited.
type Reading struct {
	Per, Format, Regex, Records        string
	TimeField, EndField, DurationField string
	DurationUnit, TimeFormat, TimeZone string
	TimeLayout                         string
	Malformed, Start, End              string
	CostFields, Where                  []string
	Shared, Explain                    bool
}

// Flags adds the flags to a command. instead says what the command does not do with
// --explain-format.
func (r *Reading) Flags(c *cobra.Command, instead string) {
	f := c.Flags()
	f.StringVar(&r.Per, "per", "", "the `FIELD` that is limited: by default the client's address; also remote_user, path, a JSON path, a column, a regex group; several as tenant,route; or file")
	f.BoolVar(&r.Shared, "shared", false, "one limit for all requests together; --per then only names the tenants")
	f.StringVar(&r.Format, "log-format", "auto", "`FORMAT` of the logs: auto, or a name that limitgauge formats lists")
	f.BoolVar(&r.Explain, "explain-format", false, "print as what each log is read and why, and "+instead)
	f.StringVar(&r.Regex, "regex", "", "regular `EXPRESSION` whose named groups are fields; implies --log-format regex")
	f.StringVar(&r.Records, "records", "", "`PATH` of the array of records in a JSON document")
	f.StringVar(&r.TimeField, "time-field", "", "`FIELD` with the time of arrival")
	f.StringVar(&r.EndField, "end-field", "", "`FIELD` with the time a request ended; arrival is this minus the duration")
	f.StringVar(&r.DurationField, "duration-field", "", "`FIELD` with how long a request took")
	f.StringVar(&r.DurationUnit, "duration-unit", "", "`UNIT` of the duration: s, ms, us or ns")
	f.StringVar(&r.TimeFormat, "time-format", "auto", "`FORMAT` of the times: "+strings.Join(logs.TimeFormats, ", "))
	f.StringVar(&r.TimeLayout, "time-layout", "", "`LAYOUT` of dates in place of --time-format, in the words of Go (02.01.2006 15:04:05) or of strftime (%d.%m.%Y %H:%M:%S)")
	f.StringVar(&r.TimeZone, "time-zone", "", "`ZONE` of times that have none: a name such as Europe/Berlin, or an offset such as +02:00; UTC unless given")
	f.StringVar(&r.Malformed, "malformed", "", "`RULE` for a file of which more than half is malformed: warn (refuse it, the default) or allow")
	f.StringArrayVar(&r.CostFields, "cost-field", nil, "`FIELD` with a request's cost; several, also as input+output, are added up")
	f.StringArrayVar(&r.Where, "where", nil, "read only requests of which a field fits: `FIELD=PATTERN` with path, method, status, host or any other field, and * for any characters; a path without * is a prefix")
	f.StringVar(&r.Start, "start", "", "leave out requests before this `INSTANT` (2006-01-02T15:04:05Z)")
	f.StringVar(&r.End, "end", "", "leave out requests at or after this `INSTANT`")
}
