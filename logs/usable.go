package logs

import (
	"fmt"
	"math"
	"slices"
	"strings"

	words "github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/logs/text"
)

// keyless reports whether every row has a field for the key and none has a
// value in it.
func (b *builder) keyless() bool {
	return !slices.ContainsFunc(b.noted.Choices, func(c Choice) bool { return c.Without < c.Rows })
}

// usable returns an error if there is nothing to replay.
func (b *builder) usable() error {
	if b.noted.Rows > math.MaxInt32 {
		return &text.Error{Reason: text.BadInput, Message: "more than 2147483647 requests"}
	}
	if b.noted.Rows > 0 {
		switch {
		case len(b.o.KeyFields()) > 0 && !b.keySeen:
			return text.WrongOptions("no record has a field %q for the key", strings.Join(b.o.KeyFields(), ","))
		case b.keyless():
			return text.WrongOptions("no record has a value for the key: %s is missing or %s in every one of %s; name another field with --per, or --shared for one limit for all",
				b.noted.Choices[len(b.noted.Choices)-1].Key, NoKey, words.Count(b.noted.Rows, "row"))
		case b.o.Client != "" && !b.cltSeen:
			return text.WrongOptions("no record has a field %q for the client", b.o.Client)
		}
		for i, name := range b.o.Fields {
			if names := b.names[1+i].names; len(names) == 1 && names[0] == NoKey {
				return text.WrongOptions("no record has a field %q", name)
			}
		}
		if b.costly {
			return &text.Error{Reason: text.BadInput, Message: "the costs add up to more than 4.6e18"}
		}
		return nil
	}
	e := &text.Error{Reason: text.BadInput}
	if len(b.o.Files) == 1 {
		e.File = b.o.Files[0]
	}
	switch {
	case b.outside > 0:
		all, within := words.Count(b.outside, "request"), ""
		if b.o.Start > 0 || b.o.Until > 0 {
			within = " between start and end"
		}
		if e.Message = fmt.Sprintf("none of %s lies%s", all, within); len(b.o.Where) > 0 {
			e.Message = fmt.Sprintf("none of %s%s fits %s", all, within, strings.Join(b.o.Where, ", "))
		}
	case b.noted.Malformed > 0:
		e.Message = fmt.Sprintf("all %s are malformed; the first ones:", words.Count(b.noted.Malformed, "line")) + problemLines(b.noted.Problems)
	default:
		e.Message = "no requests"
	}
	return e
}
