package demands

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/perkey"
)

// Seconds sums the demand of each pair in one second after the other. Most pairs of many
// keys occur once in a second, so rows are written down and added up at its end. Few pairs
// of rows that do not wait have a sum each. Keys are numbered in the order of their first
// rows in the second: this is the key's place.
type Seconds struct {
	numbers []int32 // by key: its place in the second of its last row, plus first as it was then
	first   int32   // greater than the numbers of all earlier seconds
	keys    []int32 // by place
	sums    []int64 // by pair, or nil if rows are written down
	rows    []secondRow
	room    int             // number of rows that are added up
	waits   map[int64]int64 // cost that waits, by pair, without pairs of which none does
	flows   int64
	memory  int64
	lost    bool // a second needs more memory, and all seconds are lost

	readers []*Reader
	places  []int32  // of rows that not all readers have read
	ended   []Second // that not all readers have read

	// Scratch space of merge.
	order, ends []int32
	seen        []int32 // by flow
	touched     int64
}

// secondRow is demand of a flow in a second, under the key at a place.
type secondRow struct {
	place, flow int32
	demand      int64
}

// secondBytes is the memory for each row of a second, and for what follows from it.
const secondBytes = 40

// fewRows is the number of rows from which on they are added up before the second ends.
// Tests set smaller ones.
var fewRows = 1 << 16

// fewSums is the number of pairs that have a sum each: few enough to fit a cache next to a
// processor, and to be looked at in every second.
const fewSums = 1 << 14

// NewSeconds returns the demand of keys 0 to keys-1 and flows 0 to flows-1, before the
// first second, with its first reader. A second may take about this many bytes of memory.
func NewSeconds(keys, flows int, memory int64) *Reader {
	s := &Seconds{
		numbers: make([]int32, keys), first: 1, room: fewRows, waits: map[int64]int64{},
		flows: int64(flows), memory: memory, seen: make([]int32, flows),
	}
	return s.read()
}

// place returns the place of a key, which is a new one if the second has no row of it yet.
func (s *Seconds) place(key int32) int32 {
	if number := s.numbers[key]; number >= s.first {
		return number - s.first
	}
	place := int32(len(s.keys))
	s.numbers[key] = s.first + place
	s.keys = append(s.keys, key)
	return place
}

// put adds demand and returns the place of the key.
func (s *Seconds) put(key, flow int32, demand int64) (place int32) {
	place = s.place(key)
	if len(s.rows) == s.room {
		s.compact()
	}
	s.rows = append(s.rows, secondRow{place, flow, demand})
	return place
}

// add adds the rows of a block of which something happened.
func (s *Seconds) add(keys, flows []int32, offered, admitted, reference []int64) {
	if s.sums != nil {
		s.addSums(keys, flows, offered, admitted, reference)
		return
	}
	if numbers := s.numbers; len(numbers) > perkey.Many {
		s.touched = perkey.Touch(keys, func(key int32) int64 { return int64(numbers[key]) })
	}
	for i, key := range keys {
		place := int32(-1)
		if offered[i]|admitted[i]|reference[i] != 0 && !s.lost {
			place = s.put(key, flows[i], offered[i])
		}
		s.places = append(s.places, place)
	}
}

// addSums is add if each pair has a sum.
func (s *Seconds) addSums(keys, flows []int32, offered, admitted, reference []int64) {
	flows, offered, admitted, reference = flows[:len(keys)], offered[:len(keys)], admitted[:len(keys)], reference[:len(keys)]
	from := len(s.places)
	s.places = slices.Grow(s.places, len(keys))[:from+len(keys)]
	places, sums := s.places[from:], s.sums
	for i, key := range keys {
		if offered[i]|admitted[i]|reference[i] == 0 {
			places[i] = -1
			continue
		}
		places[i] = s.place(key)
		sums[s.pair(key, flows[i])] += offered[i]
	}
}

// merge adds up the rows of each pair in its first row. Of the others, the place becomes
// negative. order then lists the rows that are left by place, and ends where those of a
// place end.
func (s *Seconds) merge() {
	s.ends = append(s.ends[:0], make([]int32, len(s.keys))...)
	for _, r := range s.rows {
		s.ends[r.place]++
	}
	from := int32(0)
	for place, n := range s.ends {
		s.ends[place] = from
		from += n
	}
	s.order = slices.Grow(s.order[:0], len(s.rows))[:len(s.rows)]
	for i, r := range s.rows {
		at := &s.ends[r.place]
		s.order[*at] = int32(i)
		*at++
	}
	from, left := int32(0), int32(0)
	for place, to := range s.ends {
		left = s.mergeKey(from, to, left)
		s.ends[place], from = left, to
	}
	s.order = s.order[:left]
}

// mergeKey adds up the rows order[from:to] of one key, and lists those that are left from
// left on. It returns the end of that list.
func (s *Seconds) mergeKey(from, to, left int32) int32 {
	start := left
	for _, i := range s.order[from:to] {
		r := &s.rows[i]
		if first := s.seen[r.flow]; first > 0 {
			s.rows[first-1].demand += r.demand
			r.place = -1
			continue
		}
		s.seen[r.flow] = i + 1
		s.order[left] = i
		left++
	}
	for _, i := range s.order[start:left] {
		s.seen[s.rows[i].flow] = 0
	}
	return left
}

// compact leaves one row for each pair, in their order, and room for as many.
func (s *Seconds) compact() {
	s.merge()
	s.rows = slices.DeleteFunc(s.rows, func(r secondRow) bool { return r.place < 0 })
	if 2*len(s.rows) > s.room {
		s.room *= 2
	}
	if int64(len(s.rows))*secondBytes > s.memory {
		s.lost, s.rows, s.waits = true, nil, nil
	}
}

// end ends the second, and begins the next one with what waits.
func (s *Seconds) end(into *Second) {
	into.ends, into.flows, into.demands = into.ends[:0], into.flows[:0], into.demands[:0]
	if s.sums != nil {
		s.endSums(into)
	} else {
		s.endRows(into)
	}
	s.first += int32(len(s.keys))
	if s.first > 1<<30 {
		clear(s.numbers)
		s.first = 1
	}
	keys, rows := s.keys, s.rows
	s.keys, s.rows = s.keys[:0], s.rows[:0]
	if len(s.waits) > 0 {
		s.keys, s.rows = nil, nil
		s.begin(keys, rows)
	}
}

// endSums lists the demand of the second if each pair has a sum. All sums are 0 from then on.
func (s *Seconds) endSums(into *Second) {
	for _, key := range s.keys {
		sums := s.sums[s.pair(key, 0):s.pair(key+1, 0)]
		for flow, demand := range sums {
			if demand > 0 {
				into.flows, into.demands = append(into.flows, int32(flow)), append(into.demands, demand)
			}
		}
		clear(sums)
		into.ends = append(into.ends, int32(len(into.flows)))
	}
}

// endRows lists the demand of the second if rows are written down.
func (s *Seconds) endRows(into *Second) {
	s.merge()
	from := int32(0)
	for _, to := range s.ends {
		for _, i := range s.order[from:to] {
			if r := s.rows[i]; r.demand > 0 {
				into.flows, into.demands = append(into.flows, r.flow), append(into.demands, r.demand)
			}
		}
		into.ends, from = append(into.ends, int32(len(into.flows))), to
	}
}

// begin puts in the pairs of the second before that wait, in the order of their rows.
func (s *Seconds) begin(keys []int32, rows []secondRow) {
	for _, r := range rows {
		if r.place < 0 {
			continue
		}
		if waits := s.waits[s.pair(keys[r.place], r.flow)]; waits > 0 {
			s.put(keys[r.place], r.flow, waits)
		}
	}
}

func (s *Seconds) pair(key, flow int32) int64 { return int64(key)*s.flows + int64(flow) }

// wait changes the cost of a pair that waits.
func (s *Seconds) wait(key, flow int32, cost int64) {
	pair := s.pair(key, flow)
	if s.waits[pair] += cost; s.waits[pair] == 0 {
		delete(s.waits, pair)
	}
}
