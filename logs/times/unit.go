package times

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	words "github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// A numeric time has one unit in a file. Settle decides it on a sample:
//
//	a name such as time_ms states it
//	numbers between the years 1995 and 2103 in exactly one unit count from 1970
//	smaller numbers count from the start; with a fraction they are seconds
//
// Where several units fit, the file is refused.

// timeUnit is a unit of numeric times.
type timeUnit struct {
	name, long string
	shift      int    // power of ten from the unit to ns
	words      string // that names of fields end in
}

// timeUnits lists the units from the largest.
var timeUnits = []timeUnit{
	{"s", "seconds", 9, "s sec secs second seconds"},
	{"ms", "milliseconds", 6, "ms millis millisecond milliseconds"},
	{"us", "microseconds", 3, "us micros microsecond microseconds"},
	{"ns", "nanoseconds", 0, "ns nanos nanosecond nanoseconds"},
}

// The bounds of numbers that count from 1970: 1995 to 2103, in seconds.
const epochFrom, epochTo = 8e8, 4.2e9

// unitOfName returns the unit that the name of a field ends in, such as time_ms
// or tsNs, or "".
func unitOfName(name string) string {
	name = name[strings.LastIndexByte(name, '.')+1:]
	at := strings.LastIndexAny(name, "_-")
	if at < 0 { // camelCase: the last capital begins the word
		at = strings.LastIndexFunc(name, func(r rune) bool { return r >= 'A' && r <= 'Z' }) - 1
		if at < 0 || name[at] < 'a' || name[at] > 'z' {
			return ""
		}
	}
	last := strings.ToLower(name[at+1:])
	for _, u := range timeUnits {
		if slices.Contains(strings.Fields(u.words), last) {
			return u.name
		}
	}
	return ""
}

// UnitTimeNames lists names of times that state their unit, such as time_ms and
// timeMs.
var UnitTimeNames = func() (names []string) {
	for _, base := range []string{"time", "timestamp", "ts", "epoch", "unix", "unix_time", "start", "start_time", "arrival", "arrival_time", "at", "t"} {
		for _, u := range timeUnits {
			for word := range strings.FieldsSeq(u.words) {
				names = append(names, base+"_"+word)
				if u.shift < 9 && len(base) > 2 {
					names = append(names, base+word) // timeMs
				}
			}
		}
	}
	return append(names, "epoch", "unix", "unix_time", "unixtime")
}()

// numbers holds what a sample shows about numeric times.
type numbers struct {
	values   []float64
	epochs   [4]int // numbers that count from 1970, by unit
	fraction bool   // some number has one
}

func (n *numbers) add(text []byte) {
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return
	}
	n.values = append(n.values, v)
	n.fraction = n.fraction || strings.ContainsAny(string(text), ".eE")
	for i := range timeUnits {
		scale := 1e9 / math.Pow10(timeUnits[i].shift)
		if v >= epochFrom*scale && v < epochTo*scale {
			n.epochs[i]++
		}
	}
}

// epoch returns the unit in which at least 95 % of the numbers count from 1970
// and lie close together, as counted from 1970: on average less than a year apart,
// or closer than to 1970. It returns -1 if there is none.
func (n *numbers) epoch() int {
	for i, count := range n.epochs {
		least, most := slices.Min(n.values), slices.Max(n.values)
		if 20*count >= 19*len(n.values) && (n.gap(i) < 366*86400 || most-least < least) {
			return i
		}
	}
	return -1
}

// gap returns the mean distance of the numbers in seconds, if they have a unit.
func (n *numbers) gap(unit int) float64 {
	span := slices.Max(n.values) - slices.Min(n.values)
	return span / float64(max(1, len(n.values)-1)) * math.Pow10(timeUnits[unit].shift) / 1e9
}

// relative returns the units that numbers counted from the start may have: those
// with a mean distance of 100 ns to a day.
func (n *numbers) relative() (fits []int) {
	if n.fraction || slices.Max(n.values) == 0 { // 0 is the same in every unit
		return []int{0}
	}
	for i := range timeUnits {
		if gap := n.gap(i); gap == 0 || gap >= 1e-7 && gap <= 86400 {
			fits = append(fits, i)
		}
	}
	return fits
}

// format returns the time format of the numbers in a field with this name. err
// says why none can be told.
func (n *numbers) format(name string) (format string, others []string, err string) {
	stated := unitOfName(name)
	epoch := n.epoch()
	switch {
	case epoch >= 0 && (stated == "" || stated == timeUnits[epoch].name):
		return "epoch-" + timeUnits[epoch].name, nil, ""
	case epoch >= 0:
		return "", nil, fmt.Sprintf("the name %s states %s, but the numbers look like %s since 1970: --time-format relative-%s or epoch-%s settles it",
			name, stated, timeUnits[epoch].long, stated, timeUnits[epoch].name)
	case stated != "":
		return "relative-" + stated, nil, ""
	}
	fits := n.relative()
	if len(fits) == 1 {
		if n.fraction {
			others = []string{"relative-ms", "relative-us"}
		}
		return "relative-" + timeUnits[fits[0]].name, others, ""
	}
	if len(fits) == 0 {
		fits = []int{0, 1, 2, 3}
	}
	flags := lists.Map(fits, func(i int) string { return "relative-" + timeUnits[i].name })
	long := lists.Map(fits, func(i int) string { return timeUnits[i].long })
	return "", nil, fmt.Sprintf("the unit of %s is not known: the numbers from %s to %s may be %s; --time-format %s settles it",
		name, plainNumber(slices.Min(n.values)), plainNumber(slices.Max(n.values)), words.List(long, "or"), words.List(flags, "or"))
}

func plainNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
