package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/logs"
)

// reading holds the flags that say how recorded logs are read, and which field is
// limited.
type reading struct {
	per, format, regex, records        string
	timeField, endField, durationField string
	durationUnit, timeFormat, timeZone string
	malformed, start, end              string
	costFields                         []string
	shared, explain                    bool
}

// flags adds the flags to a command. instead says what the command does not do with
// --explain-format.
func (r *reading) flags(c *cobra.Command, instead string) {
	f := c.Flags()
	f.StringVar(&r.per, "per", "", "the `FIELD` that is limited: by default the client's address; also remote_user, path, a JSON path, a column, a regex group; several as tenant,route; or file")
	f.BoolVar(&r.shared, "shared", false, "one limit for all requests together; --per then only names the tenants")
	f.StringVar(&r.format, "log-format", "auto", "`FORMAT` of the logs: auto, or a name that limitgauge formats lists")
	f.BoolVar(&r.explain, "explain-format", false, "print as what each log is read and why, and "+instead)
	f.StringVar(&r.regex, "regex", "", "regular `EXPRESSION` whose named groups are fields; implies --log-format regex")
	f.StringVar(&r.records, "records", "", "`PATH` of the array of records in a JSON document")
	f.StringVar(&r.timeField, "time-field", "", "`FIELD` with the time of arrival")
	f.StringVar(&r.endField, "end-field", "", "`FIELD` with the time a request ended; arrival is this minus the duration")
	f.StringVar(&r.durationField, "duration-field", "", "`FIELD` with how long a request took")
	f.StringVar(&r.durationUnit, "duration-unit", "", "`UNIT` of the duration: s, ms, us or ns")
	f.StringVar(&r.timeFormat, "time-format", "auto", "`FORMAT` of the times: "+strings.Join(logs.TimeFormats, ", "))
	f.StringVar(&r.timeZone, "time-zone", "", "`ZONE` of times that have none: a name such as Europe/Berlin, or an offset such as +02:00; UTC unless given")
	f.StringVar(&r.malformed, "malformed", "", "`RULE` for a file of which more than half is malformed: warn (refuse it, the default) or allow")
	f.StringArrayVar(&r.costFields, "cost-field", nil, "`FIELD` with a request's cost; several, also as input+output, are added up")
	f.StringVar(&r.start, "start", "", "leave out requests before this `INSTANT` (2006-01-02T15:04:05Z)")
	f.StringVar(&r.end, "end", "", "leave out requests at or after this `INSTANT`")
}
