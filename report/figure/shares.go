package figure

import (
	"fmt"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/sim/results"
)

// shares shows requests per tenant, one panel for each algorithm. For the
// tenants with the largest demand it shows the offered requests, the admitted
// requests and the fair share. If tenants have similar sizes, it draws bars,
// the admitted in front of the offered, and the fair share as a vertical line.
// If sizes differ by a large factor, the axis is logarithmic, and a band goes
// from a dot, the admitted, to the offered. shares returns nil if there is one
// tenant.
func shares(part *results.Document, m Medium) *Figure {
	var all []results.Shares
	most := 0
	for _, one := range part.Shares {
		if len(one.Tenants) > 0 {
			all = append(all, one)
			most = max(most, len(one.Tenants))
		}
	}
	if most < 2 {
		return nil
	}
	referenceFirst(part, all, func(s results.Shares) string { return s.Algorithm })
	all, more := atMost(all, m.panels())
	columns := shareColumns(len(all))
	tenants, gaps := largestTenants(all, shareRows(m, len(all), columns))
	axis := shareAxis(all, tenants, results.CostUnit(part.Results))
	axis.tick(3 + 6/columns)
	f := &Figure{
		Title:    "Who got what",
		Subtitle: fmt.Sprintf("first replication, the %d tenants with the largest demand", len(tenants)),
		Note:     "Requests in the measured span. All panels have the same axes.",
		Legend: []Entry{
			{"offered", Offered, Area}, {"admitted", Admitted, Area}, {fairShareText(all[0].Yardstick), FairShare, UprightSample},
		},
		Shared: true, Columns: columns, Width: 360, Height: rowsHeight(20, len(tenants)),
	}
	if slices.ContainsFunc(all, func(s results.Shares) bool { return s.Unshared > 0 }) {
		f.Note += " A tenant without a mark has no fair share."
	}
	if gaps {
		f.Subtitle += " (nothing is drawn where a row's largest are others)"
	}
	if axis.Log {
		f.Subtitle += ", logarithmic axis"
		f.Legend[1].Sample = SpotSample
	}
	f.Subtitle += more
	for _, one := range all {
		p := sharePanel(one, tenants, axis)
		p.Title += firstText(part, one.Algorithm, "fairness_tenant_run_min", ": fairness ")
		f.Panels = append(f.Panels, p)
	}
	return f
}

// fairShareText says what the marks of fair shares are.
func fairShareText(yardstick string) string {
	switch yardstick {
	case "reference":
		return "fair share: what the reference admits"
	case "sum over keys":
		return "fair share: of each key, max-min of what was admitted; of a key used alone, what the reference admits"
	}
	return "fair share (max-min) of all that was admitted"
}

// shareColumns returns the number of columns for panels of rows. Such panels
// need height.
func shareColumns(panels int) int {
	switch {
	case panels <= 3:
		return panels
	case panels <= 8:
		return (panels + 1) / 2
	}
	return 5
}

// shareRows returns the number of tenants that a panel shows readably.
func shareRows(m Medium, panels, columns int) int {
	if m == Page {
		return 12
	}
	return max(3, min(20, 34/((panels+columns-1)/columns)))
}

// othersName is the document's name for the sum of the tenants that are not
// listed.
const othersName = "others"

// largestTenants returns at most so many tenants that panels show, without the sum of the
// others: first those that most rows list, in the order of the longest list. Rows list the
// same ones unless demand follows from what a row decides. gaps reports that some row lacks one.
func largestTenants(all []results.Shares, most int) (tenants []string, gaps bool) {
	longestFirst := slices.SortedStableFunc(slices.Values(all), func(a, b results.Shares) int { return len(b.Tenants) - len(a.Tenants) })
	rows, listed := map[string]int{}, 0 // rows by tenant, tenants of the longest list
	for i, one := range longestFirst {
		for _, t := range one.Tenants {
			if t.Tenant == othersName {
				continue
			}
			if rows[t.Tenant]++; rows[t.Tenant] == 1 {
				tenants = append(tenants, t.Tenant)
			}
		}
		if i == 0 {
			listed = len(tenants)
		}
	}
	slices.SortStableFunc(tenants, func(a, b string) int { return rows[b] - rows[a] })
	tenants = tenants[:min(most, listed)]
	return tenants, slices.ContainsFunc(tenants, func(name string) bool { return rows[name] < len(all) })
}

// shareAxis returns the common axis of all panels, which counts in unit. It is
// logarithmic if the largest tenant is far larger than the smallest, because a
// linear axis would show only the largest.
func shareAxis(all []results.Shares, tenants []string, unit string) Axis {
	a := Axis{Label: unit + " in the measured span", Grid: true}
	least, most, smallest, zeros := math.Inf(1), 1.0, math.Inf(1), false
	for _, one := range all {
		for _, name := range tenants {
			t := shareOf(one, name)
			if t == nil {
				continue
			}
			for _, n := range []float64{float64(t.Offered), float64(t.Admitted), t.Fair} {
				most = max(most, min(n, largestDraw))
				if n > 0 {
					least = min(least, n)
				}
			}
			zeros = zeros || t.Offered == 0 || t.Admitted == 0
			smallest = min(smallest, max(1, float64(t.Offered), float64(t.Admitted)))
		}
	}
	a.Hi = 1.05 * most
	if most > wide*smallest {
		a.Log, a.Zeros, a.Hi = true, zeros, 1.3*most
		a.Lo = max(math.Pow10(int(math.Floor(math.Log10(least*0.95)))), most/1e6)
	}
	return a
}

func shareOf(s results.Shares, tenant string) *results.Share {
	for i := range s.Tenants {
		if s.Tenants[i].Tenant == tenant {
			return &s.Tenants[i]
		}
	}
	return nil
}

func sharePanel(one results.Shares, tenants []string, axis Axis) Panel {
	p := Panel{
		Title: one.Algorithm,
		Alt:   one.Algorithm + ": what each of the largest tenants offered and got, with its fair share",
		X:     axis, Y: Axis{Rows: tenants},
	}
	const outer = 0.42 // half of the height of a row's marks
	for i, name := range tenants {
		t := shareOf(one, name)
		if t == nil {
			continue
		}
		row, offered, admitted := float64(i), float64(t.Offered), float64(t.Admitted)
		shapes := []Shape{Bar{Offered, row, 0, offered, outer, 32}, Bar{Admitted, row, 0, admitted, 0.6 * outer, 19}}
		if axis.Log {
			shapes = []Shape{Bar{Offered, row, admitted, offered, 0.6 * outer, 6}}
		}
		share := "no fair share"
		if t.Fair > 0 {
			share = "fair share " + format.Number(t.Fair)
			shapes = append(shapes, Upright{FairShare, row, t.Fair, outer, 32})
		}
		if axis.Log {
			shapes = append(shapes, Spot{Paint: Admitted, X: admitted, Y: row, Radius: 5})
		}
		p.Marks = append(p.Marks, Mark{
			Title: fmt.Sprintf("%s, %s: offered %d, admitted %d, rejected %d, %s", one.Algorithm, name, t.Offered, t.Admitted, t.Rejected, share),
			Y:     row, Shapes: shapes,
		})
	}
	return p
}
