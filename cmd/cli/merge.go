package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/sim/results"
)

func (a *app) mergeCommand() *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:   "merge PART.json [PART.json...]",
		Short: "join the documents of parts of a sweep",
		Long: `Merge joins documents of limitgauge sweep --shard. With all parts, the result is the
document of the whole sweep, byte for byte. Missing cells are named, and the
document is then marked partial. Documents with a cell in common, and those of
different sweeps or versions, are refused.`,
		Example:           `  limitgauge merge part-1.json part-2.json -o sweep.json`,
		Args:              usage.Arguments(1, -1),
		ValidArgsFunction: documents(-1),
	}
	c.Flags().StringVarP(&file, "output", "o", "", "write the document to `FILE` instead of stdout")
	c.RunE = func(c *cobra.Command, args []string) error {
		if _, err := inputs.Claim(a.Host, &inputs.Running{}, inputs.Output("-o", file), inputs.Names("the document", args...)); err != nil {
			return err
		}
		var parts []*results.SweepReader
		for _, name := range args {
			f, err := inputs.OpenInput(name)
			if err != nil {
				return err
			}
			defer f.Close()
			r, err := sweepReader(name, f)
			if err != nil {
				return err
			}
			parts = append(parts, r)
		}
		var missing []int
		merge := func(w io.Writer) (err error) {
			missing, err = results.MergeSweeps(w, parts, args)
			return err
		}
		var err error
		if file == "" || file == "-" {
			err = merge(a.Out)
		} else {
			err = a.writeFile(file, merge)
		}
		if err != nil {
			if _, failed := errors.AsType[*os.PathError](err); failed {
				return err
			}
			return usage.Wrong(err)
		}
		if len(missing) > 0 {
			fmt.Fprintf(a.Err, "note: %d of %d cells are missing: %s; the document is marked partial\n", len(missing), parts[0].Head.Cells(), ranges(missing))
		}
		return nil
	}
	return c
}

// sweepReader returns a reader of the document of a sweep.
func sweepReader(name string, r io.Reader) (*results.SweepReader, error) {
	s, err := results.NewSweepReader(r)
	return s, inputs.DocumentError(name, err)
}

// ranges writes ascending numbers: 1-3, 7.
func ranges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		end := i
		for end+1 < len(numbers) && numbers[end+1] == numbers[end]+1 {
			end++
		}
		text := fmt.Sprint(numbers[i])
		if end > i {
			text += fmt.Sprintf("-%d", numbers[end])
		}
		if parts = append(parts, text); len(parts) == 20 && end+1 < len(numbers) {
			return strings.Join(parts, ", ") + " ..."
		}
		i = end + 1
	}
	return strings.Join(parts, ", ")
}
