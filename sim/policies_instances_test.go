package sim_test

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/simtest"
	"github.com/limitgauge/limitgauge/sim/simtest/draw"
)

// TestPolicyThatNeverApplies checks that a policy without requests changes no
// decision under the other one, whatever the charge.
func TestPolicyThatNeverApplies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		charge := rapid.SampledFrom([]string{"all", "none"}).Draw(t, "charge")
		names := strings.Split(instances, ", ")
		text := draw.Retries(t, draw.Scenario(t, 1, "", strings.Join(names, "-x, ")+"-x"))
		list := ""
		for _, name := range names {
			options := ", charge: " + charge
			switch name {
			case "eager":
				name, options = "prefetch", options+", when_empty: reject"
			case "leasing":
				name, options = "doorman-fair", options+", refresh: 300ms, client_burst: 8"
			case "global-random-drop": // a drop takes nothing from the limit
				options = ""
			}
			list += fmt.Sprintf("  %s-x: {preset: %s%s}\n", strings.NewReplacer("prefetch", "eager", "doorman-fair", "leasing").Replace(name), name, options)
		}
		text = strings.Replace(text, "algorithms:\n", "algorithms:\n"+list, 1)
		_, policy, _ := strings.Cut(text, "policy: ")
		policy, _, _ = strings.Cut(policy, "\n")
		name, _, _ := strings.Cut(strings.TrimPrefix(policy, "{limit: "), ",")
		several := strings.Replace(text, "policy: "+policy, "policies: ["+policy+", {limit: 3/s, burst: 4}]", 1)
		several = strings.ReplaceAll(several, ", spread: ", ", descriptors: {"+name+": {count: 1}, 3/s: none}, spread: ")
		one, two := simtest.Decisions(t, text), simtest.Decisions(t, several)
		for _, algorithm := range append(names, "reference") {
			if algorithm != "reference" {
				algorithm += "-x"
			}
			if a, b := verdicts(one[algorithm]), verdicts(two[algorithm]); !reflect.DeepEqual(a, b) {
				t.Fatalf("%s decides %d and %d requests, or differently\n%s", algorithm, len(a), len(b), several)
			}
		}
	})
}

// verdicts returns the decisions without the keys, which are named after their
// policy.
func verdicts(list []sim.Decision) (out []string) {
	for _, d := range list {
		out = append(out, fmt.Sprint(d.Attempt, d.ArrivalNs, d.DecidedNs, d.Client, d.Verdict, d.Cause))
	}
	return out
}

var clientsField = regexp.MustCompile(`clients: \d+`)

// TestOneClientIsCentral compares clients that are alone, and so see all requests,
// with the central limiter of the same counter under three policies.
func TestOneClientIsCentral(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := draw.MorePolicies(t, draw.Scenario(t, 1, "", "copies, tallies, tallies-of-all, shares, windows, buckets, rejections-count"))
		text = clientsField.ReplaceAllString(text, "clients: 1")
		text = strings.Replace(text, "algorithms:\n", strings.ReplaceAll(`algorithms:
  copies: {enforcement: broadcast, counter: fixed-window, window: calendar, resolution: 1ns, CHARGE}
  tallies: {enforcement: delayed-sync, counter: fixed-window, pull: counts, CHARGE}
  tallies-of-all: {enforcement: delayed-sync, counter: fixed-window, pull: counts, count_rejected: true, CHARGE}
  shares: {enforcement: gossip, counter: token-bucket, rule: flow-share, CHARGE}
  windows: {preset: fixed-window, CHARGE}
  buckets: {preset: token-bucket, CHARGE}
  rejections-count: {preset: fixed-window, count_rejected: true, CHARGE}
`, "CHARGE", "charge: "+rapid.SampledFrom([]string{"all", "none"}).Draw(t, "charge")), 1)
		rows := simtest.Decisions(t, text)
		for algorithm, central := range map[string]string{
			"copies": "windows", "tallies": "windows", "tallies-of-all": "rejections-count", "shares": "buckets",
		} {
			for i, d := range rows[algorithm] {
				if want := rows[central][i]; d.Attempt != want.Attempt || d.Verdict != want.Verdict {
					t.Fatalf("%s: attempt %d at %d ns under %v is %s, central says %s\n%s", algorithm, d.Attempt, d.ArrivalNs, d.Keys, d.Verdict, want.Verdict, text)
				}
			}
		}
	})
}
