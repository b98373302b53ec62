package size

import (
	"fmt"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// awsWindows are the evaluation windows of rate-based rules in s, and leastAWS is the least
// limit of one
// (docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based-high-level-settings.html).
var awsWindows = []int64{60, 120, 300, 600}

const leastAWS = 10

// awsWAF writes a rule for the JSON editor of AWS WAF.
func (a *Ask) awsWAF() (text string, cannotSay []string) {
	if a.Per == "" {
		return "", []string{"one limit for all requests (AggregateKeyType CONSTANT needs a statement that selects some of them)"}
	}
	count, window, cannotSay := a.cloudWindow(awsWindows, "its windows are 1, 2, 5 and 10 minutes")
	if count == 0 {
		return "", cannotSay
	}
	if count < leastAWS {
		cannotSay = append(cannotSay, fmt.Sprintf("%d (a limit is at least %d)", count, leastAWS))
		if change := a.Change(exactSliding, counting.Limit{Count: leastAWS, Window: window * 1e9}); change != "" {
			cannotSay[len(cannotSay)-1] += ": the lines above " + change
		}
	}
	key := a.key("", `"IP"`, `"CUSTOM_KEYS", "CustomKeys": [{"Header": {"Name": "your-key", "TextTransformations": [{"Priority": 0, "Type": "NONE"}]}}]`)
	text = fmt.Sprintf(`{"Name": "sized", "Priority": 1,
 "Statement": {"RateBasedStatement": {"Limit": %d, "EvaluationWindowSec": %d, "AggregateKeyType": %s}},
 "Action": {"Block": {"CustomResponse": {"ResponseCode": 429}}},
 "VisibilityConfig": {"SampledRequestsEnabled": true, "CloudWatchMetricsEnabled": true, "MetricName": "sized"}}
`, max(count, leastAWS), window, key)
	return text, append(cannotSay, "an exact rate (it estimates the rate every few seconds, so a key is refused some seconds late, and as long after)", whatPasses)
}

// armorWindows are the intervals of Cloud Armor in s
// (cloud.google.com/sdk/gcloud/reference/compute/security-policies/rules/create).
var armorWindows = []int64{10, 30, 60, 120, 180, 240, 300, 600, 900, 1200, 1800, 2700, 3600}

// cloudArmor writes a command that makes a rule of Google Cloud Armor.
func (a *Ask) cloudArmor() (text string, cannotSay []string) {
	count, window, cannotSay := a.cloudWindow(armorWindows, "its intervals are 10 seconds to an hour")
	if count == 0 {
		return "", cannotSay
	}
	key := a.key("ALL", "IP", "HTTP_HEADER --enforce-on-key-name=your-key")
	text = fmt.Sprintf("gcloud compute security-policies rules create 1000 --security-policy=your-policy --src-ip-ranges='*' \\\n"+
		"  --action=throttle --rate-limit-threshold-count=%d --rate-limit-threshold-interval-sec=%d \\\n"+
		"  --conform-action=allow --exceed-action=deny-429 --enforce-on-key=%s\n", count, window, key)
	return text, append(cannotSay, "one limit for several regions (each has its own count)")
}

// cloudWindow returns the least count of the nearest of some windows in s, and what it
// cannot say. The count is 0 if the log does not show it.
func (a *Ask) cloudWindow(windows []int64, which string) (count, window int64, cannotSay []string) {
	all := lists.Map(windows, func(s int64) int64 { return s * int64(time.Second) })
	ns := all[a.nearest(all)]
	if count = a.Least(exactSliding, ns); count == 0 {
		return 0, 0, []string{fmt.Sprintf(noSuchWindows, which, format.Span(ns))}
	}
	return count, ns / int64(time.Second), []string{fmt.Sprintf(aBurst, count, format.Span(ns))}
}
