package formats

import (
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/logs/text"
)

// misfit returns the error for a file that lacks a field. what calls the fields
// that it has.
func (in *Input) misfit(missing, what string, have []string) error {
	list := "the " + what + " are " + strings.Join(have, ", ")
	if len(have) == 0 {
		list = "it has no " + what
	} else if in.Asked.Hide { // they may hold values
		list = "the " + what + " are not listed, so that no key is shown"
	}
	e := &text.Error{Reason: text.BadOptions, File: in.File}
	switch missing {
	case noTime:
		e.Message = "no field is known as the time: name it with --time-field; " + list
	case noKey:
		e.Message = "no field is known as the client's address: name one with --per, or --shared for one limit for all; " + list
	default:
		e.Message = "no field \"" + missing + "\"; " + list
		for _, w := range in.Around {
			if w.record != "" {
				e.Message += "; --log-format " + w.record + " reads those beside " + w.name
			}
		}
	}
	if missing == noTime && slices.Contains(in.Around, &syslogWrapper) {
		e.Message += "; the time of " + syslogWrapper.name + " has no year, so it is not taken"
	}
	if i := slices.IndexFunc(have, func(field string) bool { return strings.Contains(field, "=[{") }); i >= 0 && missing == noTime && !in.Asked.Hide {
		array, _, _ := strings.Cut(have[i], "=")
		e.Message += "; if each line has its records in " + array + ", pipe them through jq -c '." + array + "[]' and read the result as -"
	}
	return e
}
