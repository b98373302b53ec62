package measure

// noTraffic is why there is no figure of something that nothing happened to.
const noTraffic = "no traffic"

// poolLargest says of each figure the largest over the policies. A policy
// without traffic has no part in it; one whose figure is missing for another
// reason leaves the whole without one.
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

// poolPoliced adds the policies up.
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

// poolSteps leaves a step to the only policy there is.
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

// poolWindows pools over (policy, key, window).
func poolWindows(parts []Reporter, emit Emit) {
	meters := make([]*windowMeter, len(parts))
	for i, part := range parts {
		meters[i] = part.(*windowMeter)
	}
	windowFigures(meters, emit)
}
