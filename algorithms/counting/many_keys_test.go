package counting

import (
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/perkey"
)

// Tables with enough keys to be prefetched decide blocks as they decide single
// requests.
func TestManyKeys(t *testing.T) {
	const keys = perkey.Many + 1
	limit := Limit{Count: 3, Window: 1e6, Burst: 2}
	var r requests
	for i := range int64(20_000) {
		key := int32(i * i * 7919 % 100_003 % 50)
		if key%2 == 0 {
			key = keys - 1 - key
		}
		r.add(key, i*1_000, i%3)
	}
	for _, e := range Entries() {
		if IsQueue(e.Name) {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			single, err := New(e.Name, limit, options(), keys)
			if err != nil {
				t.Fatal(err)
			}
			block, _ := New(e.Name, limit, options(), keys)
			for i, v := range r.decide(block) {
				if want := single.Take(r.key[i], r.at[i], r.cost[i]); v != want {
					t.Fatalf("request %d: verdict %v, want %v", i, v, want)
				}
			}
		})
	}
}
