package size

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/search/size/least"
)

// Ask is the setting that policies state.
type Ask struct {
	Algorithm string
	Limit     counting.Limit
	Text      string // of the limit: 300/min
	Bucket    bool
	Per       string   // field of the key; "" if one limit holds for all requests
	Address   bool     // the key is the client's address, whatever the field is called
	Where     []string // of the requests that the limit is for, if these are not all
	Weighted  bool
	Window    int64 // ns

	// Least returns the least count of exact windows of this length in ns that keeps the
	// goal, 0 if the log cannot say. Change says what a counter with another limit refuses
	// more or fewer, or "" if it is the same.
	Least  func(algorithm string, window int64) (count int64)
	Change func(algorithm string, other counting.Limit) string
}

// Policies writes a setting for limitgauge and for other limiters, with what each of them
// cannot say.
func Policies(a Ask) []Policy {
	list := []Policy{a.limitgauge()}
	for _, other := range []struct {
		system string
		costs  bool // it counts them
		write  func() (text string, cannotSay []string)
	}{
		{"nginx limit_req", false, a.nginx}, {"Envoy local rate limit", false, a.envoy},
		{"envoyproxy/ratelimit", true, a.rateLimitService}, {"HAProxy stick table", false, a.haproxy},
		{"AWS WAF", false, a.awsWAF}, {"Google Cloud Armor", false, a.cloudArmor},
	} {
		text, cannotSay := "", []string{"costs (it counts requests, and this limit counts cost)"}
		if !a.Weighted || other.costs {
			text, cannotSay = other.write()
		}
		if len(a.Where) > 0 && text != "" {
			cannotSay = append([]string{fmt.Sprintf("that it is for %s alone (put it where no other request comes)", strings.Join(a.Where, ", "))}, cannotSay...)
		}
		list = append(list, Policy{other.system, text, cannotSay})
	}
	return list
}

const minute = int64(time.Minute)

func (a *Ask) limitgauge() Policy {
	policy := "limit: " + a.Text
	if a.Bucket {
		policy += fmt.Sprintf(", burst: %d", a.Limit.Burst)
	}
	if a.Per == "" {
		policy += ", shared: true"
	} else {
		policy += fmt.Sprintf(", per: %q", a.Per)
	}
	return Policy{System: "limitgauge", Text: fmt.Sprintf("policy: {%s}\nalgorithms: [%s]\n", policy, a.Algorithm), CannotSay: []string{}}
}

// needsBucket is what limiters that are buckets say to a limit of a window.
const needsBucket = "windows (it is a bucket: size --algorithm token-bucket finds its settings)"

func (a *Ask) nginx() (text string, cannotSay []string) {
	if !a.Bucket {
		return "", []string{needsBucket}
	}
	perMinute, whole := per(a.Limit, minute)
	rate := fmt.Sprintf("%dr/m", perMinute)
	if n, exact := per(a.Limit, int64(time.Second)); exact && (n >= 10 || !whole) {
		rate, whole = fmt.Sprintf("%dr/s", n), true
	}
	limit := a.Limit
	cannotSay = []string{"times shorter than 1 ms"}
	if !whole {
		n, p := a.Limit.Rate()
		nearest := (integers.MulDiv(n, 2*minute, p, 1<<61) + 1) / 2
		limit = counting.Limit{Count: max(nearest, 1), Window: minute, Burst: limit.Burst}
		rate = fmt.Sprintf("%dr/m", limit.Count)
		cannotSay = append(cannotSay, fmt.Sprintf("%s (rates are whole numbers per second or per minute, here %s)", a.Text, rate))
	}
	burst := "" // nginx accepts no burst=0
	if a.Limit.Burst > 1 {
		burst = fmt.Sprintf(" burst=%d nodelay", a.Limit.Burst-1)
	}
	text = a.own("$key_of_your_own", a.variable()) + fmt.Sprintf("limit_req_zone %s zone=sized:10m rate=%s;\nlimit_req zone=sized%s;\nlimit_req_status 429;\n", a.variable(), rate, burst)
	n, width := limit.Rate()
	thousandths := integers.MulDiv(n, 1e12, width, 1<<62)
	if integers.MulDivUp(n, 1e12, width, 1<<62) != thousandths {
		cannotSay = append(cannotSay, fmt.Sprintf("the exact rate (it keeps whole thousandths of a request per second, rounded down, here %d)", thousandths))
	}
	if change := a.Change(least.Nginx.Name, counting.Limit{Count: thousandths, Window: 1000e9, Burst: limit.Burst}); change != "" {
		cannotSay[len(cannotSay)-1] += ": the lines above " + change
	}
	return text, cannotSay
}

// variable returns the variable of nginx for the key.
func (a *Ask) variable() string {
	switch {
	case a.Per == "":
		return "$server_name"
	case a.Address:
		return "$binary_remote_addr"
	case a.Per == "remote_user":
		return "$remote_user"
	}
	return "$key_of_your_own"
}

// key returns what a limiter calls one key for all, the client's address, or any other.
func (a *Ask) key(shared, address, other string) string {
	switch {
	case a.Per == "":
		return shared
	case a.variable() == "$binary_remote_addr":
		return address
	}
	return other
}

// own returns a comment that says what to fill in for a key, if it is the name of one that
// is not known.
func (a *Ask) own(unknown, key string) string {
	if key != unknown {
		return ""
	}
	return fmt.Sprintf("# fill in for %s what holds the key, in the log %q\n", unknown, a.Per)
}

func (a *Ask) envoy() (text string, cannotSay []string) {
	if !a.Bucket {
		return "", []string{needsBucket}
	}
	const shortest = int64(50 * time.Millisecond)
	n, width := a.Limit.Rate()
	fills := integers.CeilDiv(shortest, width)
	n, width = n*fills, width*fills
	limit := a.Limit
	if limit.Burst < n { // fewer tokens at shorter times, which are whole ns
		tokens := integers.MulDivUp(n, shortest, width, 1<<62)
		limit.Count, limit.Window = tokens, integers.MulDivUp(tokens, width, n, 1<<62)
		if integers.MulDiv(tokens, width, n, 1<<62) < limit.Window {
			cannotSay = append(cannotSay, fmt.Sprintf("%s (fills are whole ns apart, here %s s)", a.Text, format.Seconds(limit.Window)))
		}
		n, width = limit.Count, limit.Window
	}
	if limit.Burst > 1<<32-1 || n > 1<<32-1 {
		return "", []string{"this setting (its numbers have 32 bits)"}
	}
	if limit.Burst < n {
		limit.Burst = n
		cannotSay = append(cannotSay, fmt.Sprintf("a burst of %d (the %d tokens of a fill do not fit into it, and fills are at least 50 ms apart, here %d)", a.Limit.Burst, n, n))
	}
	if change := a.Change(a.Algorithm, limit); change != "" && len(cannotSay) > 0 {
		cannotSay[len(cannotSay)-1] += ": the lines above " + change
	}
	cannotSay = append(cannotSay,
		"a refill at every instant before version 1.32 (older ones fill in steps, so they can refuse up to one fill more; max_tokens may be larger by tokens_per_fill)",
		"one limit for several Envoys (each has its own bucket)")
	if a.Per != "" {
		cannotSay = append(cannotSay, "a bucket for each key by itself (put it into a descriptor of the key)")
	}
	return fmt.Sprintf("token_bucket:\n  max_tokens: %d\n  tokens_per_fill: %d\n  fill_interval: %ss\n", limit.Burst, n, format.Seconds(width)), cannotSay
}

type unitOfTime struct {
	window int64
	name   string
	one    string // with its article
}

// unitsOfTime are the windows of the rate limit service.
var unitsOfTime = []unitOfTime{{1e9, "second", "a second"}, {minute, "minute", "a minute"}, {60 * minute, "hour", "an hour"}, {24 * 60 * minute, "day", "a day"}}

func (a *Ask) rateLimitService() (text string, cannotSay []string) {
	unit := unitsOfTime[a.nearest(lists.Map(unitsOfTime, func(u unitOfTime) int64 { return u.window }))]
	count := a.Least(exactFixed, unit.window)
	if count == 0 || count > 1<<32-1 {
		return "", []string{fmt.Sprintf("this setting (its windows are a second, a minute, an hour or a day, and the log cannot show what %s needs)", unit.one)}
	}
	key := a.key("generic_key", "remote_address", "key_of_your_own")
	text = a.own("key_of_your_own", key) + fmt.Sprintf("domain: sized\ndescriptors:\n  - key: %s\n    rate_limit:\n      unit: %s\n      requests_per_unit: %d\n", key, unit.name, count)
	if a.Weighted {
		return text, []string{
			fmt.Sprintf("a burst (it counts calendar windows, and %d of %s keeps the goal in an exact one; around the end of a window twice that can pass)", count, unit.one),
			"costs by itself (send each as hits_addend)",
			"what passes alone (it also counts the cost that it refuses, so it can refuse more than the goal)",
		}
	}
	return text, []string{fmt.Sprintf("a burst (it counts calendar windows, and %d is the least count of %s that keeps the goal; around the end of a window twice that can pass)", count, unit.one)}
}

// nearest returns the index of the window that is nearest to that of the limit, by how
// many times as long the one is as the other.
func (a *Ask) nearest(windows []int64) (best int) {
	apart := func(w int64) float64 { return math.Abs(math.Log(float64(w) / float64(a.Window))) }
	for i, w := range windows {
		if apart(w) < apart(windows[best]) {
			best = i
		}
	}
	return best
}

// The algorithms that count windows exactly.
const exactFixed, exactSliding, haproxyRate = "fixed-window", "sliding-window-log", "haproxy-rate"

// What limiters cannot say that count a sliding window.
const (
	aBurst        = "a burst (it counts a sliding window, and %d is the least count of an exact one of %s that keeps the goal)"
	whatPasses    = "what passes alone (it also counts what it refuses, so a key that goes on asking stays refused)"
	noSuchWindows = "this setting (%s, and the log cannot show what a sliding window of %s needs)"
)

func (a *Ask) haproxy() (text string, cannotSay []string) {
	const longest = (1<<30 - 1) * int64(time.Millisecond) // half of what expire can be
	count := int64(0)
	if a.Window%1e6 == 0 && a.Window <= longest {
		count = a.Least(haproxyRate, a.Window)
	}
	if count == 0 {
		return "", []string{fmt.Sprintf(noSuchWindows, "its periods are whole ms up to 12.4 days", format.Span(a.Window))}
	}
	key := a.key("int(0)", "src", "hdr(your-key)")
	unit := "ms"
	period := a.Window / 1e6
	if period%1000 == 0 {
		period, unit = period/1000, "s"
	}
	kind := a.key("integer", "ipv6", "string len 64")
	text = a.own("hdr(your-key)", key) + fmt.Sprintf("stick-table type %s size 1m expire %d%s store http_req_rate(%d%s)\nhttp-request track-sc0 %s\nhttp-request deny deny_status 429 if { sc_http_req_rate(0) gt %d }\n",
		kind, 2*period, unit, period, unit, key, count) // kept for two periods, a key is as new once it is dropped
	return text, []string{
		fmt.Sprintf("a burst (it adds a part of the previous %s to the current one, and %d is the least count of it that keeps the goal)", format.Span(a.Window), count),
		whatPasses,
	}
}

// per returns a limit as a count per window, and whether that is a whole number above 0.
func per(limit counting.Limit, window int64) (count int64, whole bool) {
	n, p := limit.Rate()
	down := integers.MulDiv(n, window, p, 1<<62)
	return down, down > 0 && down == integers.MulDivUp(n, window, p, 1<<62)
}
