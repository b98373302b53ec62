package verdicts

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/groups"
	"github.com/limitgauge/limitgauge/report/gate"
)

// The elements of a JUnit report, with the attributes that its strictest schema
// allows. That schema requires the times, so they are 0 if nothing was run.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Time     junitTime    `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Time       junitTime       `xml:"time,attr"`
		File       string          `xml:"file,attr,omitempty"`
		Properties []junitProperty `xml:"properties>property,omitempty"`
		Cases      []junitCase     `xml:"testcase"`
	}
	junitTime     time.Duration
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Class   string       `xml:"classname,attr"`
		Name    string       `xml:"name,attr"`
		Time    junitTime    `xml:"time,attr"`
		Failure *junitResult `xml:"failure"`
		Error   *junitResult `xml:"error"`
		Skipped *junitResult `xml:"skipped"`
		Output  string       `xml:"system-out,omitempty"` // which changes the check catches
	}
	junitResult struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// MarshalXMLAttr writes seconds with at most three decimals, as the schema of
// Surefire wants them.
func (t junitTime) MarshalXMLAttr(name xml.Name) (xml.Attr, error) {
	seconds := float64(time.Duration(t).Round(time.Millisecond).Milliseconds()) / 1000
	return xml.Attr{Name: name, Value: strconv.FormatFloat(seconds, 'f', -1, 64)}, nil
}

// writeJUnit writes a suite for each scenario and a case for each check. A failed
// check is a failure. An unevaluated one is an error, or skipped if it is allowed
// to be missing; neither is a pass. Equal names get a number, because readers
// that identify cases by name would drop one. The time of a suite is the scenario's
// share of the run.
func writeJUnit(w io.Writer, v gate.Verdicts) error {
	report := junitSuites{Name: "limitgauge gate", Time: junitTime(v.Took.Run)}
	type name struct{ class, name string }
	taken := map[name]int{} // number of cases with this name
	var checks groups.Groups[string, gate.Verdict]
	for _, one := range v.All() {
		checks.Add(one.Scenario, one)
	}
	for _, scenario := range checks.Keys {
		first := checks.Of[scenario][0]
		suite := junitSuite{
			Name: format.Clean(scenario), File: format.Clean(first.File), Properties: junitStamp(v, first.Seed), Time: junitTime(v.Took.Scenarios[scenario]),
		}
		for _, one := range checks.Of[scenario] {
			c := junitOf(one)
			for asked := (name{c.Class, c.Name}); taken[name{c.Class, c.Name}] > 0; {
				taken[asked]++
				c.Name = fmt.Sprintf("%s (%d)", asked.name, taken[asked])
			}
			taken[name{c.Class, c.Name}]++
			suite.add(c)
		}
		suite.divideTime()
		report.Suites = append(report.Suites, suite)
		report.Tests += suite.Tests
		report.Failures += suite.Failures
		report.Errors += suite.Errors
	}
	var out bytes.Buffer
	out.WriteString(xml.Header)
	enc := xml.NewEncoder(&out)
	enc.Indent("", "  ")
	if err := enc.Encode(report); err != nil {
		return fmt.Errorf("write junit: %w", err)
	}
	out.WriteByte('\n')
	_, err := w.Write(out.Bytes())
	return err
}

// add appends a case and counts it.
func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

// divideTime divides the time of a suite among its cases, in whole milliseconds. One
// simulation serves all checks of a scenario, so no case has a time of its own, and
// readers that add up the cases get the suite.
func (s *junitSuite) divideTime() {
	total, n := time.Duration(s.Time).Round(time.Millisecond), time.Duration(len(s.Cases))
	upTo := func(i time.Duration) time.Duration { return (total * i / n).Truncate(time.Millisecond) }
	for i := range s.Cases {
		s.Cases[i].Time = junitTime(upTo(time.Duration(i)+1) - upTo(time.Duration(i)))
	}
}

// junitStamp returns the properties of a suite.
func junitStamp(v gate.Verdicts, seed uint64) []junitProperty {
	var properties []junitProperty
	if v.Stamp.Tool != "" { // else nothing was run
		properties = append(properties, junitProperty{"seed", strconv.FormatUint(seed, 10)})
	}
	for _, p := range []junitProperty{
		{"version", v.Stamp.Version}, {"commit", v.Stamp.Commit},
		{"scenario_sha256", v.Stamp.ScenarioSHA256}, {"rerun", v.Stamp.Rerun},
	} {
		if p.Value != "" {
			properties = append(properties, junitProperty{p.Name, format.Clean(p.Value)})
		}
	}
	return properties
}

// junitOf returns the case of a check.
func junitOf(v gate.Verdict) junitCase {
	c := junitCase{Class: format.Clean(v.Scenario), Name: format.Clean(v.Check())}
	if v.Change != nil {
		c.Output = format.Clean(v.Change.CaughtText())
	}
	result := &junitResult{Type: string(v.Kind()), Message: format.Clean(v.String()), Text: format.Clean(v.String())}
	if at := v.Position(); at != "" {
		result.Text = format.Clean(at) + ": " + result.Text
	}
	switch {
	case v.Status == gate.Failed:
		c.Failure = result
	case v.Excused():
		c.Skipped = result
	case !v.Status.Holds():
		result.Type = "unevaluated"
		c.Error = result
	}
	return c
}
