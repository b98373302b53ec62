package study

import (
	"context"
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/sim"
)

// blocks are the numbers of windows of which windowRatios makes one pair.
var blocks = []int{1, 2, 5}

// windowRatio compares the variance of the difference of whole replications with the
// sum of the variances of their blocks of windows.
type windowRatio struct {
	scenario, algorithm string
	ratio               []float64 // by blocks
}

// windowRatios measures, for what is admitted above the limit, how far windows are
// from being independent pairs: 1 if they are, above 1 if a test over pairs of
// windows would call chance a change.
func windowRatios(ctx context.Context, w *world, draws, replications int) ([]windowRatio, error) {
	type row struct{ scenario, algorithm string }
	excess := map[row]map[[2]int]map[int64]float64{} // by draws and replication, then by the window's start
	var order []row
	for k := range replications {
		for i := range draws {
			details := sim.Details{Windows: func(x *sim.Window) error {
				r := row{x.Scenario, x.Algorithm}
				if excess[r] == nil {
					excess[r] = map[[2]int]map[int64]float64{}
					order = append(order, r)
				}
				if excess[r][[2]int{i, k}] == nil {
					excess[r][[2]int{i, k}] = map[int64]float64{}
				}
				if x.Saturated {
					excess[r][[2]int{i, k}][x.StartNs] += float64(max(0, x.Admitted-x.Limit))
				}
				return nil
			}}
			if _, err := sim.Run(ctx, w.file, sim.Options{Draws: uint64(i), Only: k + 1, Details: details}); err != nil {
				return nil, err
			}
		}
	}
	var list []windowRatio
	for _, r := range order {
		whole, parts := 0.0, make([]float64, len(blocks))
		for k := range replications {
			for i := 0; i+1 < draws; i += 2 {
				x, y := excess[r][[2]int{i, k}], excess[r][[2]int{i + 1, k}]
				var differences []float64
				for _, at := range starts(x, y) {
					differences = append(differences, y[at]-x[at])
				}
				whole += square(sum(differences))
				for b, n := range blocks {
					for chunk := range slices.Chunk(differences, n) {
						parts[b] += square(sum(chunk))
					}
				}
			}
		}
		if whole == 0 {
			continue
		}
		ratio := windowRatio{scenario: r.scenario, algorithm: r.algorithm}
		for b := range blocks {
			ratio.ratio = append(ratio.ratio, whole/parts[b])
		}
		list = append(list, ratio)
	}
	return list, nil
}

// starts returns the starts of all windows of two replications in order.
func starts(x, y map[int64]float64) (list []int64) {
	for at := range x {
		list = append(list, at)
	}
	for at := range y {
		if _, both := x[at]; !both {
			list = append(list, at)
		}
	}
	slices.Sort(list)
	return list
}

func sum(values []float64) (total float64) {
	for _, x := range values {
		total += x
	}
	return total
}

func square(x float64) float64 { return x * x }

func windowTable(list []windowRatio) string {
	text := "| scenario | algorithm | windows | pairs of windows | blocks of five |\n| --- | --- | ---: | ---: | ---: |\n"
	for _, r := range list {
		text += fmt.Sprintf("| %s | %s | %.2f | %.2f | %.2f |\n", r.scenario, r.algorithm, r.ratio[0], r.ratio[1], r.ratio[2])
	}
	return text
}
