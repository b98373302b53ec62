package measure

// noTraffic is the reason if nothing happened that could be measured.
const noTraffic = "no traffic"

// poolLargest emits the largest value of each metric over the policies.
// Policies without traffic do not count. If a value is missing for another
// reason, the metric has none.
func poolLargest(parts []Reporter, emit Emit) {
	var order []string
	pooled := map[string]Value{}
	for _, part := range parts {
		part.Figures(func(name string, v Value) {
			so, known := pooled[name]
			if !known {
				order = append(order, name)
				so = NoData(noTraffic)
			}
			pooled[name] = larger(so, v)
		})
	}
	for _, name := range order {
		emit(name, pooled[name])
	}
}

func larger(a, b Value) Value {
	switch {
	case a.NoData == noTraffic:
		return b
	case b.NoData == noTraffic || a.NoData != "":
		return a
	case b.NoData != "" || b.X > a.X:
		return b
	}
	return a
}

// poolPoliced sums over the policies.
func poolPoliced(parts []Reporter, emit Emit) {
	all := policedMeter{fits: true}
	for _, part := range parts {
		m := part.(*policedMeter)
		all.fits = all.fits && m.fits
		all.admitted += m.admitted
		all.refused += m.refused
	}
	all.Figures(emit)
}

// poolSteps emits the figures of a single policy, otherwise a reason.
func poolSteps(parts []Reporter, emit Emit) {
	if len(parts) == 1 {
		parts[0].Figures(emit)
		return
	}
	reason := "a step is measured on one key"
	if len(parts[0].(*stepMeter).cfg.Steps) == 0 {
		reason = "no steps declared"
	}
	emit.none(reason, stepMetrics)
}

// poolWindows pools the windows of all keys of all policies.
func poolWindows(parts []Reporter, emit Emit) {
	meters := make([]*windowMeter, len(parts))
	for i, part := range parts {
		meters[i] = part.(*windowMeter)
	}
	windowFigures(meters, emit)
}
