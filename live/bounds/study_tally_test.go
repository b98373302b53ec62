package bounds

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
)

// tally counts verdicts by what is true of the limiter. Its methods may be called
// concurrently.
type tally struct {
	mu       sync.Mutex
	lines    map[[2]string]*counted // by algorithm and class
	requests int
	programs int      // runs against programs, and not HTTP servers
	unknown  []string // what is known of the limiters that were not judged
	phases   [2]int   // of runs with calendar windows: found, and all
}

// counted is how many runs had each outcome.
type counted struct {
	outcomes [NotJudged + 1]int
	under    [NotJudged + 1]int
}

// The classes of a limiter, by its log. Pairs of bursts hide the phase of calendar
// windows: other limiters have such edges in this traffic, too.
const (
	over    = "over by 5 % or more"
	alittle = "over by less"
	correct = "correct"
	hidden  = "correct, phase hidden"
)

func (c *tally) add(s *studied, v virtual, rep *Report) {
	if rep == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	class := correct
	switch by := s.truthOf(v, kindOf[s.algorithm]).over(kindOf[s.algorithm], s.limit); {
	case 20*by >= float64(s.limit.Count):
		class = over
	case by > 0:
		class = alittle
	case s.algorithm == "fixed-window" && s.sparse:
		class = hidden
	}
	for _, line := range [][2]string{{s.algorithm, class}, {"all", class}} {
		if c.lines[line] == nil {
			c.lines[line] = &counted{}
		}
		c.lines[line].outcomes[rep.Judgement.Outcome]++
		c.lines[line].under[rep.Under.Outcome]++
	}
	if o := rep.Judgement.Outcome; o == Unknown || o == NotJudged {
		c.unknown = append(c.unknown, fmt.Sprintf("%v: %s; %s", s, rep.Judgement.Text, rep.Phase.Reason))
	}
	c.requests += len(v.decisions)
	if s.program {
		c.programs++
	}
	if s.algorithm == "fixed-window" {
		c.phases[1]++
		if rep.Phase.Phase != nil {
			c.phases[0]++
		}
	}
}

// String returns a table.
func (c *tally) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "limiter\ttruth\truns\tover\tkeeps\tunknown\tnot judged\tunder\tnot under\tunknown\tnot judged")
	var lines [][2]string
	for line := range c.lines {
		lines = append(lines, line)
	}
	slices.SortFunc(lines, func(a, b [2]string) int { return strings.Compare(a[0]+a[1], b[0]+b[1]) })
	for _, line := range lines {
		n := c.lines[line]
		runs := 0
		for _, x := range n.outcomes {
			runs += x
		}
		fmt.Fprintf(w, "%s\t%s\t%d", line[0], line[1], runs)
		for _, o := range []*[NotJudged + 1]int{&n.outcomes, &n.under} {
			fmt.Fprintf(w, "\t%d\t%d\t%d\t%d", o[Broken], o[Kept], o[Unknown], o[NotJudged])
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	fmt.Fprintf(&b, "%d decisions; %d runs against programs; phases found in %d of %d runs with calendar windows", c.requests, c.programs, c.phases[0], c.phases[1])
	return b.String()
}

// hold fails the test if too many verdicts are unknown.
func (c *tally) hold(t *testing.T) {
	for class, pct := range map[string]int{over: 5, correct: 10} {
		n := c.lines[[2]string{"all", class}]
		if n == nil {
			continue
		}
		runs := 0
		for _, x := range n.outcomes {
			runs += x
		}
		if unknown := n.outcomes[Unknown] + n.outcomes[NotJudged]; 100*unknown > pct*runs {
			t.Errorf("%s\n%d of %d limiters that are %s were not judged, want at most %d %%", strings.Join(c.unknown, "\n"), unknown, runs, class, pct)
		}
	}
}
