package least

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// request is one request of a test.
type request struct {
	key        int32
	time, cost int64
}

// played returns the log of requests, in blocks of three.
func played(rows []request) Log {
	return func(visit func(Block) error) error {
		rows := rows
		for len(rows) > 0 {
			n := min(3, len(rows))
			var b Block
			for _, r := range rows[:n] {
				b.Keys, b.Times, b.Costs = append(b.Keys, r.key), append(b.Times, r.time), append(b.Costs, r.cost)
			}
			if err := visit(b); err != nil {
				return err
			}
			rows = rows[n:]
		}
		return nil
	}
}

// drawn returns requests of three keys, in bursts. Key 2 is not always there.
func drawn(draw *rand.Rand, weighted bool) (rows []request) {
	now := int64(draw.IntN(3)) * 1e9
	for range 20 + draw.IntN(60) {
		if draw.IntN(3) > 0 {
			now += draw.Int64N(4e9)
		}
		cost := int64(1)
		if weighted {
			cost = draw.Int64N(9)
		}
		rows = append(rows, request{int32(draw.IntN(3)), now, cost})
	}
	return rows
}

// TestStudy compares the sums of a log with those of its rows, of the demand and of abusers.
func TestStudy(t *testing.T) {
	draw := rand.New(rand.NewPCG(9, 9))
	for trial := range 64 {
		rows := drawn(draw, trial%2 == 1)
		abuser := []bool{trial&8 > 0, trial&16 > 0, trial&32 > 0}
		s, err := NewStudy(played(rows), 4, append(abuser, false))
		if err != nil {
			t.Fatal(err)
		}
		want := Study{FirstNs: rows[0].time, LastNs: rows[len(rows)-1].time, Keys: make([]Demand, 4)}
		for _, r := range rows {
			d := &want.Keys[r.key]
			if d.Requests++; abuser[r.key] {
				want.AbuserRequests++
				if d.Requests == 1 {
					want.AbuserKeys++
				}
				continue
			}
			want.Requests++
			want.Cost += r.cost
			if d.Requests == 1 {
				want.DemandKeys++
			}
		}
		sums := func(s *Study) [7]int64 {
			return [7]int64{s.Requests, s.Cost, s.DemandKeys, s.AbuserRequests, s.AbuserKeys, s.FirstNs, s.LastNs}
		}
		if sums(s) != sums(&want) {
			t.Errorf("trial %d: %v, want %v", trial, sums(s), sums(&want))
		}
		for key := range s.Keys {
			if s.Keys[key].Requests != want.Keys[key].Requests {
				t.Errorf("trial %d: %d requests of key %d, want %d", trial, s.Keys[key].Requests, key, want.Keys[key].Requests)
			}
		}
	}
}

// refusals decides requests one by one with a counter, and returns by key how many it
// refuses.
func refusals(t *testing.T, a *Algorithm, limit counting.Limit, rows []request) (requests [3]int64) {
	t.Helper()
	table, err := counting.New(a.Name, limit, nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if table.Take(r.key, r.time, r.cost) == counting.Rejected {
			requests[r.key]++
		}
	}
	return requests
}

// candidatesOf returns limits to try for an algorithm.
func candidatesOf(a *Algorithm) []counting.Limit {
	if a.Bucket {
		return []counting.Limit{{Count: 1, Window: 7e9}, {Count: 2, Window: 3e9}, {Count: 3, Window: 1e9}}
	}
	return []counting.Limit{{Window: 1e9}, {Window: 5e9}, {Window: 60e9}}
}

// TestAgainstBruteForce compares needs, least allowances and counts with what a counter
// decides under every allowance.
func TestAgainstBruteForce(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 9))
	falls, rises := 0, 0 // of refusals between an allowance and the next
	breaking := 0        // allowances above the least one that break the goal
	given := 0           // searches that give up
	for trial := range 250 {
		weighted := trial%2 == 1
		rows := drawn(draw, weighted)
		study, err := NewStudy(played(rows), 3, []bool{false, false, trial%5 == 0})
		if err != nil {
			t.Fatal(err)
		}
		g := Goal{AtMost: units.Fraction{Num: draw.Int64N(6), Den: 20}, OfKeys: trial%3 == 0}
		for i := range algorithms {
			a := &algorithms[i]
			answer, err := study.Solve(a, candidatesOf(a), g, true)
			if err != nil {
				t.Fatal(err)
			}
			own, err := study.Own(a, candidatesOf(a), []int32{2, 0, 1})
			if err != nil {
				t.Fatal(err)
			}
			if len(answer.Outcomes) != 3 {
				t.Fatalf("%d outcomes", len(answer.Outcomes))
			}
			for c, o := range answer.Outcomes {
				name := fmt.Sprintf("trial %d, %s, %+v, %+v", trial, a.Name, o.Limit, g)
				least := int64(0)
				var needs [3]int64
				last := int64(-1)
				for allowance := int64(1); ; allowance++ {
					got := refusals(t, a, a.With(o.Limit, allowance), rows)
					sum, keys, none := int64(0), int64(0), true
					for key, n := range got {
						if n == 0 && needs[key] == 0 {
							needs[key] = allowance
						}
						none = none && n == 0
						if study.IsAbuser(int32(key)) {
							continue
						}
						sum += n
						if n > 0 {
							keys++
						}
					}
					if last >= 0 && sum > last && !weighted {
						t.Errorf("%s: equal costs, and allowance %d refuses %d, more than one less", name, allowance, sum)
					}
					if last >= 0 && sum > last {
						rises++
					} else if sum < last {
						falls++
					}
					last = sum
					if of := map[bool]int64{true: keys, false: sum}[g.OfKeys]; least == 0 && of <= study.Allowed(g) {
						least = allowance
						if o.Requests != sum || o.Keys != keys || study.abuser[2] && o.AbuserRequests != got[2] {
							t.Errorf("%s: counted %d requests of %d keys, want %d of %d", name, o.Requests, o.Keys, sum, keys)
						}
					}
					if least > 0 && sum > study.Allowed(g) && !g.OfKeys {
						breaking++
					}
					if none {
						break
					}
				}
				if o.Allowance != least || !o.Exact {
					t.Errorf("%s: allowance %d, exact %v, want %d", name, o.Allowance, o.Exact, least)
				}
				plenty := study.work
				for _, work := range []int64{0, 30} { // which does not suffice for most searches
					study.work = work
					answer, err := study.Solve(a, []counting.Limit{a.With(o.Limit, 0)}, g, true)
					if err != nil {
						t.Fatal(err)
					}
					hasty := answer.Outcomes[0]
					if hasty.Allowance < least || hasty.Exact && hasty.Allowance != least || hasty.Tried > least || !g.OfKeys && hasty.Requests > study.Allowed(g) {
						t.Errorf("%s: with work %d: %+v, want at least %d", name, work, hasty, least)
					}
					if !hasty.Exact {
						given++
					}
				}
				study.work = plenty
				for key, want := range needs {
					if got := own[(key+1)%3][c].Need; max(got, 1) != want {
						t.Errorf("%s: key %d needs %d, want %d", name, key, got, want)
					}
				}
			}
		}
	}
	if falls == 0 || rises == 0 || breaking == 0 || given == 0 {
		t.Errorf("refusals fell %d and rose %d times, %d allowances broke the goal, and %d searches gave up: the test shows too little", falls, rises, breaking, given)
	}
}

// TestNeedIsTheSupremum compares the need of a bucket with its definition, over all
// pairs of requests in exact fractions.
func TestNeedIsTheSupremum(t *testing.T) {
	draw := rand.New(rand.NewPCG(2, 9))
	for range 50 {
		rows := drawn(draw, true)
		limit := counting.Limit{Count: 1 + draw.Int64N(50), Window: 1 + draw.Int64N(60e9)}
		other := counting.Limit{Count: 1 + draw.Int64N(50), Window: 1 + draw.Int64N(60e9)}
		bucket, _ := Find("token-bucket")
		needs, err := bucket.needs(played(rows), []counting.Limit{other, limit}, 3)
		if err != nil {
			t.Fatal(err)
		}
		for key := range int32(3) {
			most := new(big.Rat)
			for i, from := range rows {
				sum := int64(0)
				for _, to := range rows[i:] {
					if from.key != key || to.key != key {
						continue
					}
					sum += to.cost
					refill := big.NewRat(limit.Count, limit.Window)
					refill.Mul(refill, big.NewRat(to.time-from.time, 1))
					if u := new(big.Rat).Sub(big.NewRat(sum, 1), refill); u.Cmp(most) > 0 {
						most = u
					}
				}
			}
			up := new(big.Int).Add(most.Num(), new(big.Int).Sub(most.Denom(), big.NewInt(1)))
			if want := up.Div(up, most.Denom()).Int64(); needs[1][key] != want {
				t.Errorf("%+v: key %d needs %d, want %d", limit, key, needs[1][key], want)
			}
		}
	}
}

// TestNginxCount compares what nginx refuses with its counter, whose burst is one below that
// of a bucket.
func TestNginxCount(t *testing.T) {
	draw := rand.New(rand.NewPCG(4, 60))
	refused := int64(0)
	for range 50 {
		rows := drawn(draw, false)
		study, err := NewStudy(played(rows), 3, nil)
		if err != nil {
			t.Fatal(err)
		}
		limit := counting.Limit{Count: 1 + draw.Int64N(2000), Window: 1000e9, Burst: 1 + draw.Int64N(4)}
		counter := counting.NewNginxLimitReqs(limit, counting.LeakyBucketOptions{Burst: limit.Burst - 1}, 3)
		want := int64(0)
		for _, r := range rows {
			if v, _ := counter.Take(r.key, r.time, r.cost); v == counting.Rejected {
				want++
			}
		}
		if o, err := study.Count(&Nginx, limit); err != nil || o.Requests != want {
			t.Errorf("%+v: %d refused, want %d (%v)", limit, o.Requests, want, err)
		}
		refused += want
	}
	if refused < 100 {
		t.Errorf("%d requests refused: the test shows too little", refused)
	}
}
