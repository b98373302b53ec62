package check

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
)

// call is one call of a sequence, with times in us since 1970.
type call struct {
	sequence, number int
	key              int
	refill, window   int64 // tokens per second, seconds
	began, at        int64 // the transaction's start, and the call
}

// sequences and length are how many calls are compared.
const (
	sequences = 20
	length    = 150
)

// draw returns the calls of all sequences, which are the same every time. Gaps are
// worth about a token, exact halves of one, nothing or days. Some calls are in a
// transaction that began long before, some share one transaction.
func draw() (calls []call) {
	random := rand.New(rand.NewPCG(1, 2))
	for sequence := range sequences {
		refill := []int64{1, 2, 3, 5, 7, 10, 100, 1000, 999_983}[sequence%9]
		window := []int64{60, 1, 10, 2}[sequence%4]
		half := max(1, 500_000/refill)
		now := int64(1_640_000_000_000_000) + random.Int64N(1e12)
		began := now
		for number := range length {
			switch random.IntN(8) {
			case 0:
			case 1, 2:
				now += random.Int64N(4*half + 2)
			case 3, 4, 5:
				now += half * random.Int64N(8)
			case 6:
				now += random.Int64N(1_000_000 * window)
			case 7:
				now += []int64{1, 3_600_000_000, 86_400_000_000}[random.IntN(3)] * random.Int64N(3)
			}
			if random.IntN(3) > 0 {
				began = now
				if random.IntN(3) == 0 {
					began -= random.Int64N(3 * half)
				}
			}
			calls = append(calls, call{sequence, number, random.IntN(2), refill, window, began, now})
		}
	}
	return calls
}

// name returns the key that a call calls for.
func (c call) name() string { return fmt.Sprintf("%d-%d", c.sequence, c.key) }

// String describes a call.
func (c call) String() string {
	return fmt.Sprintf("sequence %d, call %d: take_token('%s', %d, %d) at %d us in a transaction from %d us", c.sequence, c.number, c.name(), c.refill, c.window, c.at, c.began)
}

// query returns a query that makes calls one after another and returns the replies.
func query(calls []call) string {
	rows := lists.Map(calls, func(c call) string {
		return fmt.Sprintf("('%s', %d, %d, %d, %d)", c.name(), c.refill, c.window, c.began, c.at)
	})
	return "select replay(v.k, v.r, v.w, v.began, v.at)::text from (values " + strings.Join(rows, ", ") + ") v (k, r, w, began, at)"
}
