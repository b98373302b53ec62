package table

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// Answers with a status that is no verdict name the option that makes it one.
func TestStatusText(t *testing.T) {
	for _, c := range []struct {
		failures []results.LiveFailure
		want     string
	}{
		{nil, ""},
		{[]results.LiveFailure{{Class: "timeout", Count: 9}}, ""},
		{
			[]results.LiveFailure{{Class: "status 302", Count: 1}, {Class: "status 403", Count: 317}, {Class: "timeout", Count: 900}},
			"317 answers had status 403, which is no verdict; if it rejects a request, add --option rejected=403 and one for each other status that does, because they replace 429 and 503",
		},
	} {
		if got := statusText(c.failures); got != c.want {
			t.Errorf("%v: %q, want %q", c.failures, got, c.want)
		}
	}
}

// TestVerdictFirst checks that the answer begins with the verdict, and that nothing below
// takes it back because the sender was late or because it could not be judged.
func TestVerdictFirst(t *testing.T) {
	for _, c := range []struct {
		live results.Live
		once string
	}{
		{results.Live{Over: results.LiveVerdict{Outcome: "kept", Text: "keeps the limit (possible maximum 100 requests)"}, Sender: results.LiveSender{Late: "the sender was late"}}, "keeps the limit"},
		{results.Live{Over: results.LiveVerdict{Outcome: "not-judged", Text: "could not be evaluated (few windows)"}, Unevaluated: "few windows"}, "few windows"},
	} {
		d := resultstest.Document().PerScenario()[0]
		d.Results[1].Live = &c.live
		table := Comparison(d, nil, measure.Metrics(), Verdicts{})
		if want := d.Results[1].Label() + ": " + c.live.Over.Text; !strings.HasPrefix(table.Lead, want) {
			t.Errorf("the table begins with %q, want %q", table.Lead, want)
		}
		text := table.Lead + strings.Join(table.Notes, "\n")
		if strings.Contains(text, "cannot show") || strings.Count(text, c.once) != 1 {
			t.Errorf("the verdict is taken back or repeated:\n%s", text)
		}
	}
}

// TestShortLive checks that what only says how a run went is among the further notes,
// and that requests without a verdict are not.
func TestOffBy(t *testing.T) {
	for _, c := range []struct {
		x          float64
		unit, want string
	}{{1.5, "%", "+1.5 points"}, {-2, "ms", "-2 ms"}, {3, "", "+3"}} {
		if got := offBy(c.x, c.unit); got != c.want {
			t.Errorf("%v %s: %q, want %q", c.x, c.unit, got, c.want)
		}
	}
}

func TestShortLive(t *testing.T) {
	l := results.Live{
		JudgedBy: "calendar", Over: results.LiveVerdict{Outcome: "kept", Text: "keeps the limit"}, Under: results.LiveVerdict{Outcome: "kept", Text: "not under the limit"},
		Phase:  results.LivePhase{Known: true, Text: "windows begin on time"},
		Sender: results.LiveSender{Planned: 600, Sent: 600, Precision: "spinning"},
	}
	d := resultstest.Document().PerScenario()[0]
	d.Results[1].Live = &l
	table := Comparison(d, nil, measure.Metrics(), Verdicts{})
	short, more := strings.Join(table.Notes, "\n"), strings.Join(table.More, "\n")
	for _, text := range []string{"late by", "spinning", "windows begin on time", "sent 600"} {
		if strings.Contains(short, text) || !strings.Contains(more, text) {
			t.Errorf("%q is not among the further notes alone:\n%s\n\n%s", text, short, more)
		}
	}
	if strings.Contains(short, "without a verdict") {
		t.Error("all requests got a verdict:\n" + short)
	}
	l.Failures, l.Unsent = []results.LiveFailure{{Class: "timeout", Count: 5}}, []results.LiveFailure{{Class: "connection refused", Count: 3}}
	l.Phase = results.LivePhase{Text: "not established"}
	short = strings.Join(Comparison(d, nil, measure.Metrics(), Verdicts{}).Notes, "\n")
	for _, text := range []string{"of 600 requests, not sent: 3 connection refused; without a verdict: 5 timeout", ": not established"} {
		if !strings.Contains(short, text) {
			t.Errorf("%q is missing in:\n%s", text, short)
		}
	}
}
