package tune

import (
	"encoding/csv"
	"io"
	"strconv"
)

// CSV writes a row for each setting that the search saw and each metric with a promise.
func CSV(w io.Writer, d *Document) error {
	c := csv.NewWriter(w)
	head := []string{"algorithm"}
	for _, a := range d.Axes {
		head = append(head, a.Name)
	}
	c.Write(append(head, d.Least.Name, "metric", "mean", "replications", "front", "answer", "verdict", "fresh_seeds", "kept_seeds"))
	for _, s := range d.Settings {
		seeds, kept := "", ""
		if s.Fresh != nil {
			seeds, kept = strconv.Itoa(s.Fresh.Seeds), strconv.Itoa(s.Fresh.Kept)
		}
		for _, f := range s.Figures {
			row := append([]string{s.Algorithm}, s.At...)
			c.Write(append(row, number(s.Cost), f.Metric, number(f.Mean), strconv.Itoa(s.Replications),
				strconv.FormatBool(s.Front), strconv.FormatBool(d.isAnswer(s)), s.Verdict, seeds, kept))
		}
	}
	c.Flush()
	return c.Error()
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
