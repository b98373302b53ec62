package scenarios

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// Fault is one entry of a scenario's faults.
type Fault struct {
	Kind   string         // as FaultKinds declares
	From   int64          // ns; of the first stage of an autoscale
	To     int64          // ns; the scenario's duration where it is open, From for what happens at once
	Every  int64          // ns; 0: once
	Values catalog.Values // the kind's fields
	Pos    catalog.Position
}

// Owned reports whether the fault concerns the server that owns a key.
func (f *Fault) Owned() bool {
	_, restarts := f.Values.IntOr("servers")
	_, crashes := f.Values.IntOr("server")
	return restarts == "owner" || crashes == "owner"
}

// Server returns the number of the server that the fault concerns, if it names
// one.
func (f *Fault) Server() (server int64, ok bool) {
	for _, name := range []string{"servers", "server"} {
		if n, word := f.Values.IntOr(name); f.Values.Set(name) && word == "" {
			return n, true
		}
	}
	return 0, false
}

// AddedServers returns how many servers faults add.
func AddedServers(faults []Fault) (n int) {
	for i := range faults {
		if faults[i].Kind == "server-added" {
			n++
		}
	}
	return n
}

// ExpectNoEffect reports whether the fault is expected to touch nothing.
func (f *Fault) ExpectNoEffect() bool { return f.Values.Bool("expect_no_effect") }

// Occurrences calls each with the begin and the end of every occurrence of the
// fault before the end of the run.
func (f *Fault) Occurrences(end int64, each func(from, to int64)) {
	for from, to := f.From, f.To; from < end; from, to = from+f.Every, to+f.Every {
		each(from, min(to, end))
		if f.Every == 0 || from > end-f.Every {
			return
		}
	}
}
