package catalog

import (
	"fmt"
	"strings"
)

// takes maps a kind to a short name of its values, if there is one.
var takes = map[Kind]string{
	Int: "whole number", Uint: "whole number", Decimal: "number", Share: "share", Bool: "true | false | on | off",
	String: "text", Duration: "duration", Rate: "rate", Limit: "limit", Size: "size", Group: "mapping",
	List: "list", Time: "instant",
}

// Takes describes the values of a field briefly, with unit and range: "whole
// number of requests from 1", "absolute | duration".
func (f *Field) Takes() string {
	text := takes[f.Kind]
	switch f.Kind {
	case Enum:
		text = strings.Join(f.Enum, " | ")
	case IntOrEnum:
		text = "whole number | " + strings.Join(f.Enum, " | ")
	case Union:
		text = strings.Join(Names(f.Choices), " | ")
	}
	if f.Unit != "" {
		text += " of " + f.Unit
	}
	switch {
	case f.Min != "" && f.Min == f.Max:
		text += ", " + f.Min + " only"
	case f.Min != "" && f.Max != "":
		text += fmt.Sprintf(" from %s to %s", f.Min, f.Max)
	case f.Min != "":
		text += " from " + f.Min
	case f.Max != "":
		text += " up to " + f.Max
	}
	return text
}
