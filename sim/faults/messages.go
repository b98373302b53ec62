package faults

import "github.com/limitgauge/limitgauge/random"

// Outcome is the effect of faults on one message. The zero Outcome is a message
// that arrives unchanged.
type Outcome struct {
	Lost  bool
	Twice bool
	Delay int64 // ns, added to the message's latency
}

// message is a fault that affects messages with probability num/den.
type message struct {
	num, den uint64
	Outcome
}

// Report draws the effect of faults on a background message (a report or its
// response) that is sent at now. It draws one number of s for each message
// fault in force.
func (t *Timeline) Report(now int64, s *random.Stream) Outcome {
	var f Outcome
	for _, m := range t.at(now).messages {
		if s.Chance(m.num, m.den) {
			f.Lost = f.Lost || m.Lost
			f.Twice = f.Twice || m.Twice
			f.Delay += m.Delay
		}
	}
	return f
}

// Latency returns the latency distribution that a fault puts in place of the
// network's at now. If no fault does, ok is false.
func (t *Timeline) Latency(now int64) (distribution random.Latency, ok bool) {
	if l := t.at(now).latency; l != nil {
		return *l, true
	}
	return random.Latency{}, false
}

// Cut reports whether a client is partitioned at now: messages between it and
// servers, store and peers that are sent at now are lost. Messages in flight
// arrive.
func (t *Timeline) Cut(now int64, client int32) bool {
	for _, cut := range t.at(now).cuts {
		if cut.has(client) {
			return true
		}
	}
	return false
}

// members is a set of clients, one bit each.
type members []uint64

func (m members) has(client int32) bool {
	return int(client>>6) < len(m) && m[client>>6]>>(client&63)&1 != 0
}

func (m members) add(client int32) { m[client>>6] |= 1 << (client & 63) }
