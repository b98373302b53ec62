package http

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/limitgauge/limitgauge/live/exchange"
)

// readPromises reads what the headers of a response promise: Retry-After (RFC 9110),
// RateLimit with RateLimit-Policy, or RateLimit-Remaining and RateLimit-Reset (the
// drafts of the IETF), and those with X- before. They state the limit, too. A header that is not as
// documented is left out.
func readPromises(a *exchange.Answer, h http.Header) {
	if ns, ok := wait(h.Get("Retry-After"), h); ok {
		a.RetryAfterNs, a.RetryUnitNs = ns, int64(time.Second)
	}
	policies := readPolicies(a, h)
	if readRateLimit(a, h, policies) {
		return
	}
	readLimit(a, h.Get("Ratelimit-Limit"), policies)
	for _, prefix := range []string{"Ratelimit-", "X-Ratelimit-", "X-Rate-Limit-"} {
		if limit, ok := number(h.Get(prefix + "Limit")); ok && a.StatedLimit == exchange.Unstated {
			a.StatedLimit = int64(limit)
		}
		remaining, ok := number(h.Get(prefix + "Remaining"))
		if !ok {
			continue
		}
		a.Remaining = int64(remaining)
		if ns, ok := reset(h.Get(prefix+"Reset"), h); ok {
			a.ResetNs = ns
		}
		return
	}
}

// retryAtReset takes the time after which a limit is reset, in whole seconds, for the time
// to retry after, if a refusal states no other.
func retryAtReset(a *exchange.Answer) {
	if a.RetryAfterNs == exchange.Unstated && a.ResetNs != exchange.Unstated {
		a.RetryAfterNs, a.RetryUnitNs = a.ResetNs, int64(time.Second)
	}
}

// wait returns the time that Retry-After states: seconds, or a date. RFC 9110 has whole
// seconds, but some servers send 1.5, and mean it.
func wait(text string, h http.Header) (ns int64, ok bool) {
	if at, err := http.ParseTime(text); err == nil {
		return max(int64(at.Sub(dateOf(h))), 0), true
	}
	seconds, ok := inSeconds(text)
	return int64(seconds * 1e9), ok
}

// dateOf returns the time of a response by the clock of its server, or by that of
// this machine if the server states none.
func dateOf(h http.Header) time.Time {
	if at, err := http.ParseTime(h.Get("Date")); err == nil {
		return at
	}
	return time.Now()
}

// unixSeconds is the number above which X-RateLimit-Reset is a Unix time: servers
// state seconds from now or since 1970. The one would be more than 30 years, the
// other before 2001.
const unixSeconds = 1e9

func reset(text string, h http.Header) (ns int64, ok bool) {
	seconds, ok := inSeconds(text)
	switch {
	case !ok:
		return 0, false
	case seconds >= unixSeconds:
		return max(int64(seconds*1e9)-dateOf(h).UnixNano(), 0), true
	}
	return int64(seconds * 1e9), true
}

// inSeconds returns a number of seconds. Larger ones, such as a Unix time in milliseconds,
// are none: as ns they would not fit into an int64.
func inSeconds(text string) (seconds float64, ok bool) {
	seconds, ok = number(text)
	return seconds, ok && seconds < 1<<33
}

// number returns a number of 0 or more.
func number(text string) (n float64, ok bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return n, err == nil && n >= 0 && n < 1<<62 && !math.IsNaN(n)
}

// readRateLimit reads the header RateLimit: of draft 8 and later, such as
// "default";r=50;t=30, or of drafts 5 to 7, such as limit=100, remaining=50, reset=5.
// Of several policies, the one with the fewest requests left
// counts. It leaves out policies that count anything but requests.
func readRateLimit(a *exchange.Answer, h http.Header, policies map[string]map[string]string) bool {
	found := false
	for _, item := range items(h.Values("Ratelimit")) {
		if name, value, _ := strings.Cut(item[""], "="); name == "limit" || name == "remaining" || name == "reset" { // drafts 5 to 7
			if n, ok := number(value); ok && name == "remaining" {
				found, a.Remaining = true, int64(n)
			} else if name == "limit" {
				readLimit(a, value, policies)
			} else if seconds, ok := inSeconds(value); ok && name == "reset" {
				a.ResetNs = int64(seconds * 1e9)
			}
			continue
		}
		left, ok := number(item["r"])
		policy := policies[item[""]]
		if unit := policy["qu"]; !ok || unit != "" && unit != `"requests"` || found && int64(left) >= a.Remaining {
			continue
		}
		found, a.Remaining, a.ResetNs = true, int64(left), exchange.Unstated
		readPolicy(a, policy)
		if seconds, ok := inSeconds(item["t"]); ok {
			a.ResetNs = int64(seconds * 1e9)
		}
	}
	return found
}

// readPolicies returns the elements of RateLimit-Policy, and reads the last one that counts
// requests.
func readPolicies(a *exchange.Answer, h http.Header) map[string]map[string]string {
	policies := map[string]map[string]string{}
	for _, policy := range items(h.Values("Ratelimit-Policy")) {
		if policies[policy[""]] = policy; policy["qu"] == "" || policy["qu"] == `"requests"` {
			readPolicy(a, policy)
		}
	}
	return policies
}

// readLimit reads the limit in force. Its window is that of the policy that states it, if any.
func readLimit(a *exchange.Answer, text string, policies map[string]map[string]string) {
	if n, ok := number(text); ok && int64(n) != a.StatedLimit {
		a.StatedLimit, a.StatedWindowNs = int64(n), exchange.Unstated
		readPolicy(a, policies[strings.TrimSpace(text)])
	}
}

// readPolicy reads the quota and the window of an element of RateLimit-Policy: such as
// "default";q=100;w=60, or 100;w=60 of drafts before 8.
func readPolicy(a *exchange.Answer, policy map[string]string) {
	limit, ok := number(policy["q"])
	if !ok {
		limit, ok = number(policy[""])
	}
	if !ok {
		return
	}
	a.StatedLimit, a.StatedWindowNs = int64(limit), exchange.Unstated
	if seconds, ok := inSeconds(policy["w"]); ok {
		a.StatedWindowNs = int64(seconds * 1e9)
	}
}

// items returns the elements of a header that is a list of structured fields (RFC
// 9651): their parameters, and the element itself as "".
func items(values []string) (all []map[string]string) {
	for _, element := range splitOutside(strings.Join(values, ","), ',') {
		item := map[string]string{}
		for i, part := range splitOutside(element, ';') {
			name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
			if i == 0 {
				name, value = "", strings.TrimSpace(part)
			}
			item[name] = value
		}
		all = append(all, item)
	}
	return all
}

// splitOutside splits a text at a separator that is not inside quotes.
func splitOutside(text string, separator byte) (parts []string) {
	quoted, from := false, 0
	for i := range len(text) {
		switch {
		case text[i] == '"' && (i == 0 || text[i-1] != '\\'):
			quoted = !quoted
		case text[i] == separator && !quoted:
			parts = append(parts, text[from:i])
			from = i + 1
		}
	}
	return append(parts, text[from:])
}
