package faults

import (
	"fmt"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Draws reports whether a fault draws random numbers.
func Draws(f *scenarios.Fault, w World) bool {
	v := f.Values
	p := v.Share("p")
	switch f.Kind {
	case "report-loss", "report-delay", "report-duplicate", "report-reorder":
		return 0 < p.Num && p.Num < p.Den
	case "partition", "clock":
		if n := concerned(f, "share", "clients", w.Clients); v.List("clients") == nil {
			return 0 < n && n < w.Clients
		}
	case "network":
		return v.Choice("latency").Name != "constant"
	case "reshard":
		share := v.Share("share")
		return share.Num > 0 && w.Servers > 1 && (share.Num < share.Den || w.Servers > 2 || drawsStale(f, w))
	case "server-added", "server-removed":
		return drawsStale(f, w)
	}
	return false
}

// drawsStale reports whether the clients that are stale are drawn.
func drawsStale(f *scenarios.Fault, w World) bool {
	n := concerned(f, "stale_share", "stale_clients", w.Clients)
	return f.Values.Duration("stale_for") > 0 && f.Values.List("stale_clients") == nil && 0 < n && n < w.Clients
}

// NoEffect returns why a fault cannot change anything in a world, or "" if it
// can.
func NoEffect(f *scenarios.Fault, w World) string {
	v := f.Values
	switch f.Kind {
	case "report-loss", "report-delay", "report-duplicate", "report-reorder":
		if v.Share("p").Num == 0 {
			return "p is 0"
		}
	case "partition", "clock":
		if concerned(f, "share", "clients", w.Clients) == 0 {
			return fmt.Sprintf("it concerns none of the %d clients", w.Clients)
		}
	case "server-restart":
		if v.String("state") == "kept" && v.Duration("down_for") == 0 {
			return "servers keep their state and respond at once; set down_for, or state: lost"
		}
	case "reshard":
		switch {
		case v.Share("share").Num == 0:
			return "share is 0"
		case w.Servers < 2:
			return "there is one server, so no key can move"
		}
	case "slow-server", "policy-change":
		if n := v["factor"].V; n == int64(1) || f.Kind == "policy-change" && v.Share("factor").Num == v.Share("factor").Den {
			return "factor is 1"
		}
	case "store-latency", "server-latency":
		if v.Int("factor") == 1 && v.Duration("add") == 0 {
			return "it adds nothing; set add, or a factor above 1"
		}
	case "autoscale":
		for _, item := range v.List("stages") {
			if item.(catalog.Values).Int("clients") != int64(w.Clients) {
				return ""
			}
		}
		return fmt.Sprintf("all stages have the %d clients of the topology", w.Clients)
	}
	return ""
}
