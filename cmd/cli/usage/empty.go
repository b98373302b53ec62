package usage

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// errEmpty is the error for a flag whose value is the empty text.
var errEmpty = errors.New("the value is empty")

// RefuseEmpty makes every flag of every command refuse an empty value. It would mean
// the same as no flag, and so hide a variable that is not set: --baseline "$BASE"
// would compare with nothing.
func RefuseEmpty(root *cobra.Command) {
	for _, c := range EveryCommand(root) {
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

// EveryCommand returns the commands of the program, and theirs.
func EveryCommand(root *cobra.Command) (all []*cobra.Command) {
	for _, c := range root.Commands() {
		all = append(append(all, c), c.Commands()...)
	}
	return all
}
