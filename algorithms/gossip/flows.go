package gossip

import "github.com/limitgauge/limitgauge/scenarios/units"

// flows holds the flows of one limiter: the admitted cost of each tenant under
// each key. Its memory is that of the flows with recent traffic.
type flows struct {
	list  []flow
	index map[flowName]int32
}

type flowName struct{ key, tenant int32 }

type flow struct {
	name  flowName
	count int64 // admitted since the last tick
	rate  int64 // estimate of it, as a demand
	began bool
}

func (f *flows) count(name flowName, cost int64) {
	i, known := f.index[name]
	if !known {
		if f.index == nil {
			f.index = map[flowName]int32{}
		}
		i = int32(len(f.list))
		f.index[name] = i
		f.list = append(f.list, flow{name: name})
	}
	f.list[i].count = min(f.list[i].count+cost, mostPerInterval)
}

// tick updates the estimate of every flow and calls each with the key and the
// estimate. A flow's first estimate is its first count.
func (f *flows) tick(weight units.Fraction, each func(key int32, rate int64)) {
	for i := 0; i < len(f.list); {
		w := &f.list[i]
		if newest := w.count << demandBits; w.began {
			w.rate = average(w.rate, newest, weight)
		} else {
			w.rate, w.began = newest, true
		}
		w.count = 0
		if w.rate == 0 {
			f.forget(i)
			continue
		}
		each(w.name.key, w.rate)
		i++
	}
}

// forget removes flow i; the last one takes its place.
func (f *flows) forget(i int) {
	last := len(f.list) - 1
	delete(f.index, f.list[i].name)
	if i != last {
		f.list[i] = f.list[last]
		f.index[f.list[i].name] = int32(i)
	}
	f.list = f.list[:last]
}
