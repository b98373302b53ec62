package faults

import "github.com/limitgauge/limitgauge/sim/random"

// Outcome is what befalls one message. The zero Outcome is a message that arrives.
type Outcome struct {
	Lost  bool
	Twice bool
	Delay int64 // ns on top of its latency
}

// message is one fault of messages, with the chance num/den.
type message struct {
	num, den uint64
	lost     bool
	twice    bool
	delay    int64
}

// Report draws what befalls a message of the background (a report, or the
// answer to it) that is sent at now. It draws one number of s for each fault in
// force that befalls messages, and none where there is none.
func (t *Timeline) Report(now int64, s *random.Stream) Outcome {
	var f Outcome
	for _, m := range t.at(now).messages {
		if s.Chance(m.num, m.den) {
			f.Lost = f.Lost || m.lost
			f.Twice = f.Twice || m.twice
			f.Delay += m.delay
		}
	}
	return f
}

// Latency is the law of a call's latency that overrides the network's at now,
// where one does.
func (t *Timeline) Latency(now int64) (distribution random.Latency, ok bool) {
	if l := t.at(now).latency; l != nil {
		return *l, true
	}
	return random.Latency{}, false
}

// Cut reports whether a client is cut off at now: what it sends to servers,
// store and neighbours, and what they send to it, is lost. What is already
// under way arrives.
func (t *Timeline) Cut(now int64, client int32) bool {
	for _, cut := range t.at(now).cuts {
		if cut.has(client) {
			return true
		}
	}
	return false
}

// members are some clients: a bit each.
type members []uint64

func (m members) has(client int32) bool {
	return int(client>>6) < len(m) && m[client>>6]>>(client&63)&1 != 0
}

func (m members) add(client int32) { m[client>>6] |= 1 << (client & 63) }
