package cli

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// errEmpty is the error for a flag whose value is the empty text.
var errEmpty = errors.New("the value is empty")

// refuseEmpty makes every flag of every command refuse an empty value. It would mean
// the same as no flag, and so hide a variable that is not set: --baseline "$BASE"
// would compare with nothing.
func refuseEmpty(root *cobra.Command) {
	for _, c := range everyCommand(root) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			list, isList := f.Value.(pflag.SliceValue)
			switch {
			case isList:
				f.Value = filledList{filled{f.Value}, list}
				if f.DefValue == "[]" {
					f.DefValue = "" // help shows any other default of an unknown type
				}
			case f.Value.Type() == "string":
				f.Value = filled{f.Value}
			}
		})
	}
}

// filled is a value of a flag that cannot be set to the empty text.
type filled struct{ pflag.Value }

func (v filled) Set(text string) error {
	if text == "" {
		return errEmpty
	}
	return v.Value.Set(text)
}

// filledList is a filled value of a flag that may be repeated.
type filledList struct {
	filled
	pflag.SliceValue
}

// everyCommand returns the commands of the program, and theirs.
func everyCommand(root *cobra.Command) (all []*cobra.Command) {
	for _, c := range root.Commands() {
		all = append(append(all, c), c.Commands()...)
	}
	return all
}
