package logs

import (
	"math"
	"math/bits"

	words "github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/logs/text"
	"github.com/limitgauge/limitgauge/logs/times"
)

// player computes when a recorded row is played. The options shift the
// recording, repeat it, change its speed, copy it and drop a share of it, in
// that order. Played times keep the order of the rows.
type player struct {
	first, last int64 // times of the recording's first row and of the last played one
	shift       int64 // subtracted from every time
	turns       int
	period      int64 // from one repetition to the next, ns
	num, den    int64 // distances from the first row are divided by num/den
	copies      int
	sieve       sieve
}

func newPlayer(o *Options, rows, first, last int64) (player, error) {
	p := player{turns: max(1, o.Repeat), copies: max(1, o.Copies), num: 1, den: 1}
	if o.Keep.Num > 0 {
		p.sieve = newSieve(o.Keep)
	}
	if turns, copies := int64(p.turns), int64(p.copies); turns > math.MaxInt32/rows || copies > math.MaxInt32/(rows*turns) {
		return p, text.WrongOptions("%s, %s over with %s each, are more than 2147483647", words.Count(rows, "request"), words.Count(turns, "time"), words.Count(copies, "copy"))
	}
	if o.Rebase {
		p.shift = first
	}
	p.first, p.last = first-p.shift, last-p.shift
	// The period is the number of calendar seconds that the recording touches,
	// so that every repetition has the same position within a second.
	seconds := p.last/times.Second - p.first/times.Second + 1
	if p.turns > 1 {
		if seconds > MaxSpan/times.Second/int64(p.turns-1) {
			return p, text.WrongOptions("the recording repeated %d times lasts longer than %s", p.turns, maxSpanText)
		}
		p.period = seconds * times.Second
		p.last += int64(p.turns-1) * p.period
	}
	if o.Speed.Num != o.Speed.Den {
		p.num, p.den = o.Speed.Num, o.Speed.Den
		var ok bool
		if p.last, ok = p.faster(p.last); !ok {
			return p, text.WrongOptions("the recording at speed %d/%d lasts longer than %s", p.num, p.den, maxSpanText)
		}
	}
	if err := boundSpan("the recording as it is replayed", p.first, p.last); err != nil {
		return p, err
	}
	return p, nil
}

// play converts recorded times to those of one repetition.
func (p *player) play(times []int64, turn int) {
	if later := int64(turn)*p.period - p.shift; later != 0 {
		for i := range times {
			times[i] += later
		}
	}
	if p.num != p.den {
		for i, t := range times {
			times[i], _ = p.faster(t)
		}
	}
}

// faster divides the distance from the first row by num/den, rounded down. ok
// is false if the result exceeds int64, as it may before newPlayer has checked
// the last row.
func (p *player) faster(t int64) (at int64, ok bool) {
	hi, lo := bits.Mul64(uint64(t-p.first), uint64(p.den))
	if hi >= uint64(p.num) {
		return 0, false
	}
	q, _ := bits.Div64(hi, lo, uint64(p.num))
	if q > uint64(math.MaxInt64-p.first) {
		return 0, false
	}
	return p.first + int64(q), true
}

// ceilDiv returns x * den / num rounded up, or the largest int64.
func ceilDiv(x, num, den int64) int64 {
	hi, lo := bits.Mul64(uint64(x), uint64(den))
	if hi >= uint64(num) {
		return math.MaxInt64
	}
	q, rem := bits.Div64(hi, lo, uint64(num))
	if rem > 0 {
		q++
	}
	return int64(min(q, math.MaxInt64))
}
