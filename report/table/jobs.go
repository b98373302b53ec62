package table

import (
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/groups"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/sim/results"
)

// ofWorkers names the default columns of a comparison of workers.
var ofWorkers = []string{"finish_s", "ideal_finish_s", "jobs_given_up", "retry_amplification", "rejected_pct", "herd_max", "over_admission_pct", "under_admission_pct"}

// hasWorkers reports whether callers of the rows are workers.
func hasWorkers(rows []results.Result) bool { return results.HasFigure(rows, "jobs_finished") }

// waits names what workers wait for, as shares of their time.
var waits = []struct{ metric, what string }{
	{"worker_time_pace_pct", "for their pace"},
	{"worker_time_backoff_pct", "before a retry"},
	{"worker_time_in_flight_pct", "for a call in flight to end"},
	{"worker_time_limiter_pct", "for the limiter to decide"},
}

// leastTold is the share of the time of workers, in percent, from which a wait is told.
const leastTold = 10

// jobNotes says of each simulated row how long its workers took for the jobs, with how many
// calls, and what they mostly waited for.
func jobNotes(s results.Scenario, rows []results.Result) []string {
	if !hasWorkers(rows) {
		return nil
	}
	var same groups.Groups[string, string]
	for _, r := range simulated(rows) {
		if text := jobText(s, r); text != "" {
			same.Add(text, r.Label())
		}
	}
	return lists.Map(same.Keys, func(text string) string { return list(same.Of[text]) + ": " + text })
}

func jobText(s results.Scenario, r results.Result) string {
	figure := func(metric string) float64 { return r.Summary(metric).OrNaN() }
	finished, given, left := figure("jobs_finished"), figure("jobs_given_up"), figure("jobs_left")
	all := finished + given + left
	if math.IsNaN(all) || all == 0 {
		return ""
	}
	finish, ideal, whole := figure("finish_s"), figure("ideal_finish_s"), s.EndNs-s.StartNs
	text := ""
	switch {
	case !math.IsNaN(finish):
		text = fmt.Sprintf("%s in %s", format.Amount(all, "job"), seconds(finish))
	case !math.IsNaN(ideal) && left > 0: // the stock has an end
		text = fmt.Sprintf("%s of %s %s left after %s", format.Number(left), format.Amount(all, "job"), format.Verb(int64(math.Ceil(left)), "was", "were"), seconds(float64(whole)/1e9))
		switch stopped := figure("workers_stopped"); {
		case stopped > 0 && stopped == float64(s.Workers):
			text += fmt.Sprintf(", with %s stopped", format.Verb(s.Workers, "the worker", "all workers"))
		case stopped > 0:
			text += fmt.Sprintf(", with %s stopped", format.Amount(stopped, "worker"))
		}
	default:
		text = fmt.Sprintf("%s finished in %s", format.Amount(finished, "job"), seconds(float64(whole)/1e9))
	}
	if !math.IsNaN(ideal) {
		text += fmt.Sprintf(" (ideal %s)", seconds(ideal))
	}
	if given > 0 {
		of := "" // the number before may be of jobs that finished, or are left
		if !math.IsNaN(finish) {
			of = "of them "
		}
		text += fmt.Sprintf(", %s %sgiven up", format.Number(given), of)
	}
	text += callsPerJob(s, r)
	if herd := r.Summary("herd_max").Largest(); herd > 1 {
		text += fmt.Sprintf(", up to %s within 100 ms", format.Amount(herd, "retry"))
	}
	most, what := leastTold*1.0, ""
	for _, w := range waits {
		if x := figure(w.metric); x >= most {
			most, what = x, w.what
		}
	}
	if what != "" {
		text += fmt.Sprintf("; workers waited %s %% of the time %s", format.Number(most), what)
	}
	return text
}

// callsPerJob says how many calls a row makes for a job. It is empty where others than
// workers call, too.
func callsPerJob(s results.Scenario, r results.Result) string {
	calls := r.Summary("retry_amplification").Mean
	if calls == nil || s.Others {
		return ""
	}
	return fmt.Sprintf(", %s per job", format.Amount(*calls, "call"))
}

// seconds writes a time to the second, or from two hours on to the minute.
func seconds(s float64) string {
	switch n := int64(math.Round(s)); {
	case n < 120:
		return format.Number(s) + " s"
	case n < 2*3600:
		return fmt.Sprintf("%d min %d s", n/60, n%60)
	default:
		return fmt.Sprintf("%d h %d min", n/3600, n%3600/60)
	}
}
