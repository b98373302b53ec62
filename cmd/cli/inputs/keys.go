package inputs

import (
	"cmp"
	"slices"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// KeyFlags holds the flags that select the keys with a timeline of their own.
type KeyFlags struct {
	Keys  []string
	Worst bool // record the series of the worst key too
}

// Flags adds the flags to a command.
func (k *KeyFlags) Flags(c *cobra.Command) {
	c.Flags().StringArrayVar(&k.Keys, "key", nil, "draw the timeline of the key called `NAME`; may be given again")
}

// Check returns an error if the document does not hold the series of a key.
func (k *KeyFlags) Check(d *results.Document, name string) error {
	held := lists.Map(d.KeySeries, func(s results.KeySeries) string { return s.Key })
	slices.Sort(held)
	held = slices.Compact(held)
	for _, key := range k.Keys {
		if !slices.Contains(held, key) {
			return usage.Errorf("--key: %s does not hold the series of %q%s, but of %s; to record it: %s --key %s", name,
				key, scenarios.Suggest(key, held), cmp.Or(catalog.Join(held), "no key"), d.Stamp.Rerun, format.ShellQuote(key))
		}
	}
	return nil
}

// OfKeys returns the document without the series of other keys, or the document
// itself if no key is named.
func OfKeys(d *results.Document, keys []string) *results.Document {
	if len(keys) == 0 {
		return d
	}
	some := *d
	some.KeySeries = slices.DeleteFunc(slices.Clone(d.KeySeries), func(s results.KeySeries) bool { return !slices.Contains(keys, s.Key) })
	return &some
}
