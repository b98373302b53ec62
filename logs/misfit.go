package logs

import "strings"

// misfit returns the error for a file that lacks a field. what calls the fields
// that it has.
func misfit(file, missing, what string, have []string) error {
	list := "the " + what + " are " + strings.Join(have, ", ")
	e := &Error{Reason: BadOptions, File: file, missing: missing}
	switch missing {
	case noTime:
		e.Message = "no field is known as the time: name it with --time-field; " + list
	case noKey:
		e.Message = "no field is known as the client's address: name one with --per, or --shared for one limit for all; " + list
	default:
		e.Message = "no field \"" + missing + "\"; " + list
	}
	return e
}
