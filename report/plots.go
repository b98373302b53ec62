package report

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/limitgauge/limitgauge/sim/results"
)

// Plots draws each scenario's pictures into dir as PNGs of 1200 x 800 pixels
// and returns the paths of those written, in order: SCENARIO-timeline.png
// (offered, admitted and limit over time), -accuracy.png (the headline figures),
// -frontier.png (accuracy against server calls; left out where fewer than two ask servers
// or nobody is over or under the limit),
// -latency.png (left out where no decision took time), -shares.png (left out
// with one tenant), -guard.png (with a guarded backend) and, of each of several
// policies, -POLICY-timeline.png. The same document
// gives the same bytes. Each file is whole or not there; on an error the paths
// written so far are returned with it. A context that ends ends it, between two
// pictures.
func Plots(ctx context.Context, doc *results.Document, dir string) (paths []string, err error) {
	pictures := picturesOf(doc, dir)
	errs := drawAll(ctx, pictures)
	for i, p := range pictures {
		if p.written {
			paths = append(paths, p.path)
		}
		if err == nil {
			err = errs[i]
		}
	}
	return paths, err
}

// picture is one file to draw.
type picture struct {
	doc     *results.Document // of one scenario, and of one policy perhaps
	build   func(*results.Document, results.Scenario) *page
	path    string
	written bool
}

func picturesOf(doc *results.Document, dir string) (list []*picture) {
	names := Slugs(doc)
	for i, doc := range doc.PerScenario() {
		add := func(doc *results.Document, suffix string, build func(*results.Document, results.Scenario) *page) {
			list = append(list, &picture{doc: doc, build: build, path: filepath.Join(dir, names[i]+"-"+suffix+".png")})
		}
		add(doc, "timeline", timelinePage)
		add(doc, "accuracy", accuracyPage)
		add(doc, "frontier", frontierPage)
		add(doc, "latency", latencyPage)
		add(doc, "shares", sharesPage)
		add(doc, "guard", guardPage)
		slugs := Slugs(&results.Document{Scenarios: named(doc.Scenarios[0].Policies)})
		for k, alone := range doc.PerPolicy() {
			add(alone, slugs[k]+"-timeline", timelinePage)
		}
	}
	return list
}

// drawAll draws pictures side by side, one per core, up to the first that
// fails, and returns the error of each.
func drawAll(ctx context.Context, pictures []*picture) []error {
	errs := make([]error, len(pictures))
	var next atomic.Int64
	var failed atomic.Bool
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(pictures)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(pictures) && !failed.Load(); i = int(next.Add(1)) - 1 {
				if errs[i] = ctx.Err(); errs[i] == nil {
					errs[i] = pictures[i].draw()
				}
				if errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	workers.Wait()
	return errs
}

// draw writes the picture, if there is something to show.
func (p *picture) draw() error {
	s := p.doc.Scenarios[0]
	page := p.build(p.doc, s)
	if page == nil {
		return nil
	}
	if err := WriteFile(p.path, page.write); err != nil {
		return fmt.Errorf("plot %s: %w", s.Name, err)
	}
	p.written = true
	return nil
}

// named are scenarios that have no more than the policies' names.
func named(policies []results.Policy) []results.Scenario {
	list := make([]results.Scenario, len(policies))
	for i := range policies {
		list[i].Name = policies[i].Name
	}
	return list
}

// Slugs are the scenarios' names as slugs, in order, with a number after those
// that others have already.
func Slugs(doc *results.Document) []string {
	slugs := make([]string, len(doc.Scenarios))
	used, next := map[string]bool{}, map[string]int{}
	for i, s := range doc.Scenarios {
		first := slug(s.Name)
		name := first
		for used[name] {
			next[first]++
			name = fmt.Sprintf("%s-%d", first, next[first]+1)
		}
		used[name] = true
		slugs[i] = name
	}
	return slugs
}

// slug turns a scenario's name into a file name: lower-case letters, digits and
// single hyphens.
func slug(name string) string {
	const longest = 80
	var out []byte
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			out = append(out, byte(r))
		case len(out) > 0 && out[len(out)-1] != '-':
			out = append(out, '-')
		}
		if len(out) > longest {
			break
		}
	}
	text := strings.Trim(string(out[:min(len(out), longest)]), "-")
	if text == "" {
		return "scenario"
	}
	return text
}

// subtitle is the line under a page's title: the policy and what was drawn.
func subtitle(s results.Scenario, what string) string {
	parts := []string{}
	if limit := s.LimitText(); limit != "" {
		parts = append(parts, "limit "+limit)
	}
	parts = append(parts, fmt.Sprintf("seed %d", s.Seed), what)
	return strings.Join(parts, " · ")
}

// isReference tells the rows of the exact limiter by name.
func isReference(doc *results.Document, scenario string) map[string]bool {
	names := map[string]bool{}
	for _, r := range doc.Results {
		if r.Scenario == scenario {
			names[r.Algorithm] = r.Reference
		}
	}
	return names
}

// referenceFirst orders what is drawn of one scenario: the reference, then the
// document's order; at most limit of them, and how many were left out.
func referenceFirst[T any](rows []T, algorithm func(T) string, reference map[string]bool, limit int) (kept []T, left int) {
	for _, first := range []bool{true, false} {
		for _, r := range rows {
			if reference[algorithm(r)] == first {
				kept = append(kept, r)
			}
		}
	}
	if len(kept) > limit {
		return kept[:limit], len(kept) - limit
	}
	return kept, 0
}

// andMore says how many algorithms a page leaves out.
func andMore(left int) string {
	if left == 0 {
		return ""
	}
	return fmt.Sprintf(" · %d more algorithms are in the table", left)
}
