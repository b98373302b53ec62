package draw

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// MorePolicies puts the traffic of a drawn scenario under two more policies.
func MorePolicies(t *rapid.T, text string) string {
	first, rest, _ := strings.Cut(text, "    policy: ")
	policy, rest, _ := strings.Cut(rest, "\n")
	lines := strings.Split(rest, "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "      - {name: entry") {
			continue
		}
		of := func(name string) string {
			return rapid.SampledFrom([]string{"none", "one", "{uniform: 4}", "{applies: 40%, keys: {zipf: 9}}", "{keys: {uniform: 5}, count: 3}", "{applies: 1/3}"}).Draw(t, name)
		}
		descriptors := fmt.Sprintf(", descriptors: {users: %s, all: %s}}", of("users"), rapid.SampledFrom([]string{"one", "none", "{applies: 50%}"}).Draw(t, "all"))
		lines[i] = strings.TrimSuffix(line, "}") + descriptors
	}
	return first + "    policies: [" + policy + ", users, all]\n" + strings.Join(lines, "\n") +
		"policies:\n  users: {limit: 20/500ms, burst: 8, reference: " + rapid.SampledFrom([]string{"token-bucket", "fixed-window", "sliding-log"}).Draw(t, "reference") +
		"}\n  all: {limit: 150/s, shared: true}\n"
}

// Retries adds retries to a drawn scenario, or none.
func Retries(t *rapid.T, text string) string {
	return strings.Replace(text, "    traffic:\n", rapid.SampledFrom([]string{
		"", "    retries: {attempts: 2}\n", "    retries: {attempts: 1, backoff: {exponential: {base: 20ms}}}\n", "    retries: {attempts: 2, backoff: retry-after}\n",
	}).Draw(t, "retries")+"    traffic:\n", 1)
}
