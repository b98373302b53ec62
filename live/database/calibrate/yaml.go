package calibrate

import (
	"fmt"
	"io"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
)

// WriteYAML writes the model as algorithms of a scenario file, below the measured
// times with their spread, and the measured and the simulated loads.
func (r Result) WriteYAML(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# PostgreSQL %s; callers on the same machine share its processors\n", r.Server)
	if !r.Flushes {
		fmt.Fprintf(&b, "# commits do not wait for the disk\n")
	}
	fmt.Fprintf(&b, "# measured, us           median      low     high\n")
	for _, t := range r.Times {
		fmt.Fprintf(&b, "# %-20s %8.0f %8.0f %8.0f  %s\n", t.Name, t.Median, t.Low, t.High, t.About)
	}
	fmt.Fprintf(&b, "# callers of one row     first try %%        retries a success  commits a second\n")
	fmt.Fprintf(&b, "#                        server   model      server   model     server        (low to high)   model\n")
	for i, p := range r.Probes {
		f := r.Fitted[i]
		fmt.Fprintf(&b, "# %-14s %2d callers %6.1f  %6.1f     %6.2f  %6.2f     %6.0f  %6.0f to %-6.0f %10.0f\n", p.Isolation, p.Callers,
			p.FirstTryPct, f.FirstTryPct, p.RetriesPerSuccess, f.RetriesPerSuccess, p.CommitsPerSecond, p.Low, p.High, f.CommitsPerSecond)
	}
	fmt.Fprintf(&b, "algorithms:\n")
	for _, name := range []string{"serializable", "read-committed"} {
		fmt.Fprintf(&b, "  calibrated-%s:\n    preset: sql-%s\n", name, name)
		for _, option := range r.Model.options() {
			fmt.Fprintf(&b, "    %s\n", option)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Warnings returns what makes the result doubtful.
func (r Result) Warnings() (all []string) {
	wide := lists.Count(r.Probes, func(p Spread) bool { return p.High-p.Low > 0.4*p.CommitsPerSecond })
	if wide > len(r.Probes)/4 {
		all = append(all, fmt.Sprintf("of %d loads, %d committed at rates that differ by more than 40 %% between rounds: the machine or its disk was busy with other work; repeat when it is idle", len(r.Probes), wide))
	}
	for i, p := range r.Probes {
		f := r.Fitted[i]
		if rate := f.CommitsPerSecond/max(p.CommitsPerSecond, 1) - 1; rate > 0.2 || rate < -0.2 {
			all = append(all, fmt.Sprintf("%s, %d callers: the model commits %.0f times a second, the server %.0f", p.Isolation, p.Callers, f.CommitsPerSecond, p.CommitsPerSecond))
		}
	}
	return all
}
