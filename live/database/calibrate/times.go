package calibrate

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/live/database/functions"
	"github.com/limitgauge/limitgauge/live/database/hotrow"
	"github.com/limitgauge/limitgauge/live/database/postgres"
)

// Time is a time in us that was measured several times.
type Time struct {
	Name, About       string
	Median, Low, High float64
}

// median returns the time of several measurements.
func median(name, about string, us []float64) Time {
	sorted := slices.Sorted(slices.Values(us))
	return Time{name, about, sorted[len(sorted)/2], sorted[0], sorted[len(sorted)-1]}
}

// helpers are functions of the measurements alone. A failing call does what a call
// does up to its row, and fails as it does on a conflict.
const helpers = `
create function failing_call(k text) returns bigint language plpgsql as $$
begin
  perform 1 from rate_limits b where b.key = k;
  raise exception 'could not serialize access due to concurrent update' using errcode = '40001';
end $$;
`

// install creates the published function and the helpers.
func install(ctx context.Context, scratch *postgres.Scratch) error {
	script, err := functions.Install{Variant: "published"}.Script()
	if err != nil {
		return err
	}
	if err := scratch.Exec(ctx, script+helpers); err != nil {
		return fmt.Errorf("install the function: %w", err)
	}
	return nil
}

// call returns the statement that takes a token of a key whose tokens never run out.
func call(key string) string { return "select take_token('" + key + "', 1000000, 2)" }

// basic are the times of callers that do not meet.
type basic struct {
	trip, statement, abort Time // of a processor
	alone, commit          Time // of one caller without and with a flush of the log
}

// all returns the times in the order in which they are printed.
func (b basic) all() []Time { return []Time{b.trip, b.statement, b.abort, b.alone, b.commit} }

// measureBasic measures each time in rounds, one after the other, so that a busy
// moment of the machine is in few of them.
func measureBasic(ctx context.Context, sessions *hotrow.Sessions, processors int, o Options) (basic, error) {
	many := 4 * processors
	own := func(i int) string { return call(fmt.Sprintf("own-%d", i)) }
	loads := []struct {
		callers int
		load    hotrow.Load
	}{
		{many, hotrow.Load{Call: func(int) string { return "select 1" }}},
		{many, hotrow.Load{Call: own, Unflushed: true}},
		{many, hotrow.Load{Call: func(int) string { return "select failing_call('own-0')" }}},
		{1, hotrow.Load{Call: own, Unflushed: true}},
		{1, hotrow.Load{Call: own}},
	}
	var us [5][]float64
	for range o.Rounds {
		for i, l := range loads {
			l.load.Callers, l.load.Isolation, l.load.Warmup, l.load.For = l.callers, "read committed", o.Each/5, o.Each
			f, err := l.load.Measure(ctx, sessions)
			if err != nil {
				return basic{}, err
			}
			us[i] = append(us[i], each(f, l.callers, processors))
		}
	}
	return basic{
		median("round trip", "processor time of an empty statement", us[0]),
		median("statement", "processor time of a call, the log not flushed", us[1]),
		median("abort", "processor time of a call that fails with 40001", us[2]),
		median("one caller", "time of a call, the log not flushed", us[3]),
		median("one caller, commit", "time of a call whose commit flushes the log", us[4]),
	}, nil
}

// each returns the time in us that a call took of a processor: with fewer callers than
// processors, as many of these are busy as there are callers.
func each(f hotrow.Figures, callers, processors int) float64 {
	return 1e6 * f.Seconds * float64(min(callers, processors)) / float64(max(f.Calls, 1))
}

// model returns the model that the basic times give. What they do not show has the
// documented default.
func (b basic) model(processors int) Model {
	least := func(us float64) float64 { return max(us, 1) }
	body := least(b.statement.Median - b.trip.Median) // of the function and its change
	wakeup := least(b.alone.Median - b.statement.Median)
	m := Model{
		Processors: processors, Overhead: least(b.trip.Median / 2), Statement: least(body * 0.6),
		Response: least(b.trip.Median/2 + body*0.4), Recheck: 20, Wakeup: wakeup, HeadStart: 0.3,
		Service: least(b.commit.Median - b.alone.Median - wakeup),
	}
	m.Abort = max(20, b.abort.Median-m.Overhead-m.Statement)
	return m
}

// pointsOf measures how the server serves loads: the median of rounds.
func pointsOf(ctx context.Context, sessions *hotrow.Sessions, loads []Load, o Options) ([]Spread, error) {
	all := make([][]hotrow.Figures, len(loads))
	for range o.Rounds {
		for i, l := range loads {
			f, err := hotrow.Load{
				Call: func(int) string { return call("hot") }, Callers: l.Callers, Isolation: l.Isolation, Retries: 1 << 30,
				Warmup: o.Each / 2, For: 2 * o.Each,
			}.Measure(ctx, sessions)
			if err != nil {
				return nil, err
			}
			all[i] = append(all[i], f)
		}
	}
	points := make([]Spread, len(loads))
	for i, l := range loads {
		points[i] = spread(l, all[i])
	}
	return points, nil
}

// Spread is a Point measured several times: the medians, and the range of the
// commits per second.
type Spread struct {
	Point
	Low, High float64
}

func spread(l Load, all []hotrow.Figures) Spread {
	middle := func(of func(hotrow.Figures) float64) Time { return median("", "", lists.Map(all, of)) }
	rate := middle(hotrow.Figures.CommitsPerSecond)
	return Spread{Point{l, middle(hotrow.Figures.FirstTryPct).Median, middle(hotrow.Figures.RetriesPerSuccess).Median, rate.Median}, rate.Low, rate.High}
}

// Options of a calibration.
type Options struct {
	Processors int           // of the server; callers on this machine share them
	Rounds     int           // of which the median counts
	Each       time.Duration // of one measurement
	Progress   func(step string)
}
