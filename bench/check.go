package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// The check compares the smallest processor time of several rounds with the
// committed ratio. A busy machine changes this ratio little, and only upwards.
// The margin covers the rest, and the differences between processors; -against
// sees smaller changes.
const (
	ratiosFile = "ratios.txt"
	margin     = 1.6 // a row fails above its committed ratio times this
	tries      = 3   // the rounds are repeated at most this often while a row fails
)

// parseRatios reads lines of the form "group | row | ratio". A # begins a comment.
func parseRatios(text string) (map[string]float64, error) {
	ratios := map[string]float64{}
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		fields := strings.Split(line, "|")
		if len(fields) != 3 {
			return nil, fmt.Errorf("line %d: want group | row | ratio", i+1)
		}
		ratio, err := strconv.ParseFloat(strings.TrimSpace(fields[2]), 64)
		if err != nil || !(ratio > 0) {
			return nil, fmt.Errorf("line %d: %q is no ratio", i+1, strings.TrimSpace(fields[2]))
		}
		ratios[strings.TrimSpace(fields[0])+": "+strings.TrimSpace(fields[1])] = ratio
	}
	return ratios, nil
}

// unlisted returns an error that names the rows without a ratio, and the ratios without
// a row.
func unlisted(rows []row, ratios map[string]float64) error {
	var wrong []error
	known := map[string]bool{}
	for _, r := range rows {
		known[r.String()] = true
		if _, ok := ratios[r.String()]; !ok {
			wrong = append(wrong, fmt.Errorf("%s has no ratio", r))
		}
	}
	for name := range ratios {
		if !known[name] {
			wrong = append(wrong, fmt.Errorf("%s is no row", name))
		}
	}
	return errors.Join(wrong...)
}

// check measures the rows and prints their ratios beside the committed ones, or commits
// them.
func check(ctx context.Context, w io.Writer, rows []row, o options) error {
	if o.update && o.only != "" {
		return errors.New("-update measures all rows")
	}
	contestants := []contestant{central()}
	for _, r := range rows {
		contestants = append(contestants, r.contestant)
	}
	ratios := map[string]float64{}
	if !o.update {
		text, err := os.ReadFile(ratiosFile)
		if err != nil {
			return err
		}
		if ratios, err = parseRatios(string(text)); err != nil {
			return fmt.Errorf("%s: %w", ratiosFile, err)
		}
	}
	least := make([]float64, len(contestants))
	var slow []string
	for range tries {
		times, err := inTurn(ctx, contestants, o.rounds)
		if err != nil {
			return err
		}
		for i, t := range times {
			if now := slices.Min(t.cpu); least[i] == 0 || now < least[i] {
				least[i] = now
			}
		}
		if o.update {
			return commit(rows, least[0], least[1:])
		}
		if slow = judge(w, rows, ratios, least[0], least[1:]); len(slow) == 0 {
			return nil
		}
	}
	return fmt.Errorf("slower than committed, %d times measured: %s", tries, strings.Join(slow, "; "))
}

// judge prints the ratio of each row beside the committed one. took is in ns per
// operation. It returns the rows that are too slow.
func judge(w io.Writer, rows []row, ratios map[string]float64, unit float64, took []float64) (slow []string) {
	fmt.Fprintf(w, "processor time, as a multiple of the central workload's %.1f ns: now, committed, at most\n", unit)
	for i, r := range rows {
		now, then := took[i]/unit, ratios[r.String()]
		fmt.Fprintf(w, "%8.2f  %8.2f  %8.2f  %s\n", now, then, then*margin, r)
		if now > then*margin {
			slow = append(slow, r.String())
		}
	}
	return slow
}

// commit writes the ratios.
func commit(rows []row, unit float64, took []float64) error {
	var text strings.Builder
	text.WriteString("# Processor time of each simulation, in units of the central workload of the same run.\n# cd bench && go run . -check -update\n# group | row | ratio\n")
	for i, r := range rows {
		fmt.Fprintf(&text, "%s | %s | %.2f\n", r.group, r.name, took[i]/unit)
	}
	return os.WriteFile(ratiosFile, []byte(text.String()), 0o644)
}
