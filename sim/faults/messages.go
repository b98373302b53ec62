package faults

import (
	"math/bits"

	"github.com/limitgauge/limitgauge/internal/random"
)

// Outcome is the effect of faults on one message. The zero Outcome is a message
// that arrives unchanged.
type Outcome struct {
	Lost  bool
	Twice bool
	Delay int64 // ns, added to the message's latency
}

// message is a fault that affects messages with probability num/den.
type message struct {
	entry    int
	num, den uint64
	Outcome
}

// latency replaces the latency of calls.
type latency struct {
	entry int
	random.Latency
}

// cut is a partition of some clients.
type cut struct {
	entry int
	whose members
}

// Message draws the effect of faults on a background message that is sent at now, and counts
// it. It draws one number of s for each message fault in force. duplicates states that
// faults may duplicate the message.
func (t *Timeline) Message(now int64, s *random.Stream, duplicates bool) Outcome {
	var f Outcome
	for _, m := range t.at(now).messages {
		if s.Chance(m.num, m.den) && (duplicates || !m.Twice) {
			t.touch(m.entry)
			f.Lost = f.Lost || m.Lost
			f.Twice = f.Twice || m.Twice
			f.Delay += m.Delay
		}
	}
	return f
}

// Latency returns the latency distribution of a call that is sent at now: the
// usual one, or the one that a fault puts in its place. It counts the call if
// the two differ.
func (t *Timeline) Latency(now int64, usual random.Latency) random.Latency {
	l := t.at(now).latency
	if l == nil || l.Latency == usual {
		return usual
	}
	t.touch(l.entry)
	return l.Latency
}

// Cut reports whether a message of a client that is sent at now is lost because
// the client is partitioned, and counts it. Messages in flight arrive.
func (t *Timeline) Cut(now int64, client int32) (lost bool) {
	for _, c := range t.at(now).cuts {
		if c.whose.has(client) {
			t.touch(c.entry)
			lost = true
		}
	}
	return lost
}

// members is a set of clients or keys, one bit each.
type members []uint64

// with returns the set with another member. It may change m.
func (m members) with(id int32) members {
	if n := int(id>>6) + 1 - len(m); n > 0 {
		m = append(m, make(members, n)...)
	}
	m.add(id)
	return m
}

func (m members) size() (n int64) {
	for _, word := range m {
		n += int64(bits.OnesCount64(word))
	}
	return n
}

func (m members) has(client int32) bool {
	return int(client>>6) < len(m) && m[client>>6]>>(client&63)&1 != 0
}

func (m members) add(client int32) { m[client>>6] |= 1 << (client & 63) }
