package faults

import "github.com/limitgauge/limitgauge/scenarios"

// Draws reports whether a fault draws random numbers.
func Draws(f *scenarios.Fault, w World) bool {
	v := f.Values
	p := v.Share("p")
	switch f.Kind {
	case "report-loss", "report-delay", "report-duplicate", "report-reorder":
		return 0 < p.Num && p.Num < p.Den
	case "partition", "clock":
		if n := Concerned(f, w.Clients); v.List("clients") == nil {
			return 0 < n && n < w.Clients
		}
	case "network":
		return v.Choice("latency").Name != "constant"
	case "reshard":
		share := v.Share("share")
		return share.Num > 0 && w.Servers > 1 && (share.Num < share.Den || w.Servers > 2)
	}
	return false
}
