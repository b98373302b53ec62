package libraries

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/gauge"
)

// coarse is the second tolerance of the search, in ns: differences by rounding are
// smaller.
const coarse = int64(time.Microsecond)

// sequences returns the shortest sequences of each library.
func sequences(t *testing.T) string {
	var b strings.Builder
	for _, l := range libraries() {
		if clockStands(t, l) {
			continue
		}
		fmt.Fprintf(&b, "\n### %s\n\n> %s\n\n[Documentation](%s). Exact limiter: %s.\n", l.name, l.promise.text, l.promise.link, l.promise.kind)
		if l.promise.also != "" {
			fmt.Fprintf(&b, "\n%s\n", l.promise.also)
		}
		fine, large := find(t, l, 0), find(t, l, coarse)
		if fine == nil {
			b.WriteString("\nNo call differs.\n")
			continue
		}
		if large != nil && fine.offNs <= coarse || large == nil {
			fine.write(&b, l, "The shortest sequence")
		}
		if large == nil {
			b.WriteString("\nNo call differs by more than 1 µs.\n")
			continue
		}
		large.write(&b, l, "The shortest sequence that differs by more than 1 µs")
	}
	return b.String()
}

// find searches in a bubble of its own.
func find(t *testing.T, l library, toleranceNs int64) (f *finding) {
	synctest.Test(t, func(*testing.T) { f = search(l, toleranceNs) })
	return f
}

// write writes the sequence as a table of calls.
func (f *finding) write(b *strings.Builder, l library, what string) {
	fmt.Fprintf(b, "\n%s: at %s, burst %d, %s.\n\n", what, rateText(f.policy), f.policy.Burst, f.offText(l))
	b.WriteString("| at | key | cost | documented | did |\n| --- | --- | ---: | --- | --- |\n")
	for i, c := range f.calls {
		fmt.Fprintf(b, "| %v | %c | %d | %s | %s |\n", time.Duration(c.atNs), 'A'+c.key, c.cost, f.promised[i].text(l), f.answers[i].text(l))
	}
}

// offText says by how much the last call differs.
func (f *finding) offText(l library) string {
	promised, did := f.promised[f.call], f.answers[f.call]
	switch {
	case f.offNs == counting.Never && did.admit:
		return "the last call is admitted"
	case f.offNs == counting.Never:
		return "the last call is refused"
	case did.admit && (!promised.admit || did.atNs < promised.atNs):
		return fmt.Sprintf("the last call is admitted %v early", time.Duration(f.offNs))
	}
	return fmt.Sprintf("the last call is admitted %v late", time.Duration(f.offNs))
}

// text returns the answer in words.
func (a answer) text(l library) string {
	switch {
	case !a.admit:
		return "refuse"
	case l.door == blocks:
		return fmt.Sprintf("return at %v", time.Duration(a.atNs))
	}
	return "admit"
}

// rateText returns the limit as in scenario files.
func rateText(p gauge.Policy) string {
	unit := map[time.Duration]string{time.Second: "s", time.Minute: "min", time.Hour: "h"}[p.Window]
	return fmt.Sprintf("%d/%s", p.Limit, unit)
}

// clockStands reports whether a limiter refuses for 1,000 windows of virtual time
// after it has refused once: its clock is not that of package time.
func clockStands(t *testing.T, l library) (stands bool) {
	if l.door == blocks {
		return false
	}
	synctest.Test(t, func(*testing.T) {
		p := gauge.Policy{Limit: 2, Window: time.Second, Burst: 2, Clients: 1}
		calls := []call{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {1000 * int64(p.Window), 0, 1}}
		answers := play(l, p, calls)
		stands = !answers[2].admit && !answers[3].admit
	})
	return stands
}

// contents returns the table of libraries: versions, settings and calls.
func contents(t *testing.T) string {
	versions, err := versions()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("\n| row | module | limiter | call | time |\n| --- | --- | --- | --- | --- |\n")
	for _, l := range libraries() {
		if versions[l.module] == "" {
			t.Fatalf("the build list has no module %s", l.module)
		}
		fmt.Fprintf(&b, "| %s | %s %s | `%s` | `%s` | %s |\n", l.name, l.module, versions[l.module], l.settings, l.call, l.door)
	}
	return b.String()
}

// refused returns the list of libraries that cannot run in virtual time.
func refused(t *testing.T) string {
	var b strings.Builder
	for _, l := range libraries() {
		if clockStands(t, l) {
			fmt.Fprintf(&b, "\n- **%s**: %s.\n", l.name, l.refusal)
		}
	}
	return b.String()
}
