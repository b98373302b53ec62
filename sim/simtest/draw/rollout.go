package draw

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// waiting lists the algorithms of EveryAlgorithm in which requests wait. Two of
// them with different bounds cannot be in one rollout.
var waiting = []string{"leaky-bucket", "rover", "rover-capped", "faithful", "sql-waits"}

var clientsOf = regexp.MustCompile(`clients: (\d+)`)

// Rollout draws a scenario over EveryAlgorithm, all of whose rows are in a rollout
// to one of them. converted is when each client is converted, in ns; -1 for never.
// fields is appended to the fields of the rollout.
func Rollout(t *rapid.T, replications int, fields string) (text, to string, rows []string, converted []int64) {
	all := strings.Split(EveryAlgorithm, ", ")
	to = rapid.SampledFrom(all).Draw(t, "to")
	for _, name := range all {
		if name == to || !slices.Contains(waiting, to) || !slices.Contains(waiting, name) {
			rows = append(rows, name)
		}
	}
	text = Scenario(t, replications, "", strings.Join(rows, ", "))
	clients, _ := strconv.Atoi(clientsOf.FindStringSubmatch(text)[1])
	share := rapid.IntRange(0, clients).Draw(t, "converted")
	from := rapid.SampledFrom([]int64{0, 0, 300, 1100, 2000}).Draw(t, "from")
	lasts := rapid.SampledFrom([]int64{0, 0, 700}).Draw(t, "lasts")
	until := min(from+lasts, 2000)
	const ms = 1_000_000
	for i := range int64(clients) {
		at := int64(-1)
		if i < int64(share) {
			at = from*ms + (until-from)*ms*(i+1)/int64(share)
		}
		converted = append(converted, at)
	}
	rollout := fmt.Sprintf(", rollout: {to: %s, share: %d/%d, from: %dms, until: %dms%s}", to, share, clients, from, until, fields)
	return strings.Replace(text, "{p99: 20ms}}}\n", "{p99: 20ms}}"+rollout+"}\n", 1), to, rows, converted
}
