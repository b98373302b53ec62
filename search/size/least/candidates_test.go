package least

import (
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

func texts(list []counting.Limit) (texts []string) {
	for _, l := range list {
		texts = append(texts, units.Rate{Count: l.Count, Per: l.Window}.String())
	}
	return texts
}

// TestCandidates checks that rates go from slow to fast, each in one window, up to the
// peak, and which ones lie between.
func TestCandidates(t *testing.T) {
	const second, min, hour = int64(1e9), int64(60e9), int64(3600e9)
	study, err := NewStudy(played([]request{{0, 0, 9}, {0, 5, 5}, {1, 10 * hour, 100}}), 2, []bool{false, true})
	if err != nil {
		t.Fatal(err)
	}
	bucket, _ := Find("token-bucket")
	list := study.Candidates(bucket, []int64{second, hour, min})
	want := []string{"1/h", "2/h", "3/h", "5/h", "10/h", "20/h", "30/h", "50/h", "100/h", "200/h", "300/h", "500/h",
		"10/min", "20/min", "30/min", "50/min", "100/min", "200/min", "300/min", "500/min", "10/s", "20/s"}
	if got := texts(list); !slices.Equal(got, want) {
		t.Errorf("candidates %v, want %v", got, want)
	}
	if got := texts(Between(list, list[12])); !slices.Equal(got, []string{"12/min", "15/min"}) {
		t.Errorf("around 10/min: %v", got)
	}
	if got := texts(Between(list, list[21])); !slices.Equal(got, []string{"12/s", "15/s"}) {
		t.Errorf("around the last one: %v", got)
	}
	study.LastNs = 10*hour - 1
	if got := texts(study.Candidates(bucket, []int64{second, min, hour})); got[0] != "1/min" {
		t.Errorf("a log of fewer than ten hours is asked for %s", got[0])
	}
	if answer, err := study.Solve(bucket, []counting.Limit{{Count: 200, Window: hour}}, Goal{}, true); err != nil || !answer.Outcomes[0].Short {
		t.Errorf("a rate that was asked for, in a log of fewer than ten of its windows: %+v, %v", answer, err)
	}
	window, _ := Find("fixed-window")
	if got := study.Candidates(window, []int64{min, second, min}); len(got) != 2 || got[0].Window != second {
		t.Errorf("windows %v", got)
	}
}

// TestRecommend checks that customers come first among settings that stop abusers nearly as
// well, then the abusers, and then the minute.
func TestRecommend(t *testing.T) {
	outcomes := []Outcome{
		{Keys: 3, AbuserRequests: 568, Most: 76}, {AbuserRequests: 600, Most: 50}, {AbuserRequests: 613, Most: 90}, {AbuserRequests: 613, Most: 78},
		{Keys: 1, AbuserRequests: 620, Most: 40}, {AbuserRequests: 10, Most: 20}, {AbuserRequests: 1000, Most: 1, Short: true},
	}
	with := Study{abuser: []bool{true}, AbuserRequests: 1226}
	if got := with.Recommend(outcomes); got != 3 {
		t.Errorf("with abusers: setting %d", got)
	}
	many := Study{abuser: []bool{true}, AbuserRequests: 1241}
	if got := many.Recommend(outcomes); got != 3 {
		t.Errorf("with abusers that no setting stops: setting %d", got)
	}
	if got := many.Recommend(outcomes[4:]); got != 1 {
		t.Errorf("with abusers that no setting stops, of few: setting %d", got)
	}
	if got := with.Recommend(outcomes[6:]); got != 0 {
		t.Errorf("of one that the log cannot decide: setting %d", got)
	}
	if got := with.Recommend(nil); got != -1 {
		t.Errorf("of none: setting %d", got)
	}
	for i := range outcomes {
		outcomes[i].AbuserRequests = 0
	}
	if got := (&Study{}).Recommend(outcomes); got != 5 {
		t.Errorf("without abusers: setting %d", got)
	}
}

// TestMost compares the bound of a minute with what counters admit when asked all the time.
func TestMost(t *testing.T) {
	for i := range algorithms {
		a := &algorithms[i]
		for _, limit := range []counting.Limit{{Count: 7, Window: 7e9, Burst: 5}, {Count: 40, Window: 61e9, Burst: 1}, {Count: 3, Window: 30e9, Burst: 90}} {
			var most int64
			for _, start := range []int64{0, 6e9, 29e9, 60e9} { // when the key begins to ask
				table, err := counting.New(a.Name, limit, nil, 1)
				if err != nil {
					t.Fatal(err)
				}
				admitted := int64(0)
				for now := start; now < start+Minute; now += 1e8 {
					for table.Take(0, now, 1) == counting.Admitted {
						admitted++
					}
				}
				most = max(most, admitted)
			}
			if bound := a.Most(limit, Minute); most > bound || 2*most < bound {
				t.Errorf("%s, %+v: %d admitted in a minute, bound %d", a.Name, limit, most, bound)
			}
		}
	}
}
