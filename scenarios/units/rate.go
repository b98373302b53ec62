package units

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ParseRate parses a number of events per period exactly: "500/s", "30/min",
// "2.5/s", "2k/s", "7/3s", "10/60s". The period is a unit of time or a
// duration. A single m is rejected as ambiguous. A rate may be zero.
func ParseRate(text string) (Rate, error) {
	count, per, ok := strings.Cut(text, "/")
	if !ok {
		if _, err := scaled(text); err == nil {
			return Rate{}, fmt.Errorf("%q needs a period, such as %s/s or %s/min", clip(text), clip(text), clip(text))
		}
		return Rate{}, notRate(text)
	}
	n, err := scaled(count)
	if errors.Is(err, errNotNumber) {
		return Rate{}, notRate(text)
	}
	if err != nil {
		return Rate{}, fmt.Errorf("rate %q: the count is %w", clip(text), err)
	}
	period, err := parsePeriod(per)
	if err != nil {
		return Rate{}, fmt.Errorf("rate %q: %w", clip(text), err)
	}
	if period == 0 {
		return Rate{}, fmt.Errorf("rate %q: the period is zero", clip(text))
	}
	if period, err = mul(period, pow10[n.scale]); err != nil {
		return Rate{}, fmt.Errorf("rate %q: too many decimals for its period", clip(text))
	}
	return Rate{Count: n.num, Per: period}, nil
}

// ParseLimit parses the limit of a policy: a rate whose count is a whole number
// above zero. The period of the rate is the policy's window.
func ParseLimit(text string) (Rate, error) {
	r, err := ParseRate(text)
	if err != nil {
		return Rate{}, err
	}
	count, _, _ := strings.Cut(text, "/")
	if n, err := ParseCount(count); err != nil || n < 1 {
		return Rate{}, fmt.Errorf("limit %q must count a whole number of requests, at least 1, such as 5/2s", clip(text))
	}
	return r, nil
}

func parsePeriod(text string) (int64, error) {
	if text == "m" {
		return 0, errors.New("m is ambiguous: write min or ms")
	}
	if ns, ok := timeUnit(text); ok {
		return ns, nil
	}
	if text == "" {
		return 0, errors.New("it needs a period, such as 500/s")
	}
	if number, _ := split(text); number == "" {
		return 0, fmt.Errorf("%q is not a period: write s, min, h, d or a duration, such as 10s", clip(text))
	}
	return ParseDuration(text)
}

func notRate(text string) error {
	return fmt.Errorf("%q is not a rate, such as 500/s, 30/min or 7/3s", clip(text))
}

// String writes the rate in the notation of ParseRate: 100/min, 25/10s.
func (r Rate) String() string {
	per := FormatDuration(r.Per)
	if number, unit := split(per); number == "1" {
		per = unit
	}
	return strconv.FormatInt(r.Count, 10) + "/" + per
}

// Reduced returns the rate as n events per p nanoseconds in lowest terms. A
// rate of zero is 0 per 1.
func (r Rate) Reduced() (n, p int64) {
	d := gcd(r.Count, r.Per)
	if d == 0 {
		return 0, 1
	}
	return r.Count / d, r.Per / d
}

// PerSecond returns the rate as a float64, for reports.
func (r Rate) PerSecond() float64 {
	if r.Per == 0 {
		return 0
	}
	return float64(r.Count) * float64(Second) / float64(r.Per)
}
