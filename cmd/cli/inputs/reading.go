package inputs

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/logs"
)

// Reading holds flags that say how recorded logs are read, and which field is limited. The
// values of the others are in the flags of the command alone.
type Reading struct {
	Per               string
	CostFields, Where []string
	Shared, Explain   bool
}

// Flags adds the flags to a command. instead says what the command does not do with
// --explain-format.
func (r *Reading) Flags(c *cobra.Command, instead string) {
	f := c.Flags()
	f.StringVar(&r.Per, "per", "", "the `FIELD` that is limited: by default the client's address; also remote_user, path, a JSON path, a column, a regex group; several as tenant,route; or file")
	f.BoolVar(&r.Shared, "shared", false, "one limit for all requests together; --per then only names the tenants")
	f.String("log-format", "auto", "`FORMAT` of the logs: auto, or a name that limitgauge formats lists")
	f.BoolVar(&r.Explain, "explain-format", false, "print as what each log is read and why, and "+instead)
	f.String("regex", "", "regular `EXPRESSION` whose named groups are fields; implies --log-format regex")
	f.String("records", "", "`PATH` of the array of records in a JSON document")
	f.String("time-field", "", "`FIELD` with the time of arrival")
	f.String("end-field", "", "`FIELD` with the time a request ended; arrival is this minus the duration")
	f.String("duration-field", "", "`FIELD` with how long a request took")
	f.String("duration-unit", "", "`UNIT` of the duration: s, ms, us or ns")
	f.String("time-format", "auto", "`FORMAT` of the times: "+strings.Join(logs.TimeFormats, ", "))
	f.String("time-layout", "", "`LAYOUT` of dates in place of --time-format, in the words of Go (02.01.2006 15:04:05) or of strftime (%d.%m.%Y %H:%M:%S)")
	f.String("time-zone", "", "`ZONE` of times that have none: a name such as Europe/Berlin, or an offset such as +02:00; UTC unless given")
	f.String("malformed", "", "`RULE` for a file of which more than half is malformed: warn (refuse it, the default) or allow")
	f.StringArrayVar(&r.CostFields, "cost-field", nil, "`FIELD` with a request's cost; several, also as input+output, are added up")
	f.StringArrayVar(&r.Where, "where", nil, "read only requests of which a field fits: `FIELD=PATTERN` with path, method, status, host or any other field, and * for any characters; a path without * is a prefix")
	f.String("start", "", "leave out requests before this `INSTANT` (2006-01-02T15:04:05Z)")
	f.String("end", "", "leave out requests at or after this `INSTANT`")
}
