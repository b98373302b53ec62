package times

import (
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // zones where the system has none

	words "github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/logs/text"
)

// zone converts local times of stamps without an offset.
//
// Where clocks are set back, an hour happens twice: the first of the two is
// taken. Where they are set forward, an hour is missing: such a time is read as
// if the clocks had not been set yet. Both are counted.
type zone struct {
	at     *time.Location // nil is UTC
	name   string         // "" if no one named it
	stated bool           // by the option or the documentation of the format

	zoned   int64 // stamps with an offset
	without int64 // stamps without one
	twice   int64 // in an hour that happens twice
	missing int64 // in an hour that does not exist

	block  int64 // the last quarter of an hour of local time, if it has one offset
	offset int64 // its seconds east of UTC
	kind   localKind
}

// localKind says how often a local time happens.
type localKind int8

const (
	once localKind = iota
	twice
	never
)

// zoneBlock is the length of the spans whose offset is kept, in seconds.
const zoneBlock = 900

// ParseZone returns a zone by its IANA name, such as Europe/Berlin, or an offset
// such as +02:00. UTC is nil.
func ParseZone(name string) (*time.Location, error) {
	if name == "" || name == "UTC" {
		return nil, nil
	}
	bad := text.WrongOptions("time zone %q: an IANA name such as Europe/Berlin, or an offset such as +02:00", name)
	if name[0] == '+' || name[0] == '-' {
		offset, ok := offsetSeconds([]byte(name))
		if !ok {
			return nil, bad
		}
		return time.FixedZone(name, int(offset)), nil
	}
	at, err := time.LoadLocation(name)
	if err != nil || strings.EqualFold(name, "local") {
		return nil, bad
	}
	return at, nil
}

// SetZone names the zone of stamps without an offset.
func (z *zone) SetZone(name string) {
	z.at, _ = ParseZone(name) // Validate has checked it
	z.name, z.stated, z.block = name, true, -1
}

// Zoned reports whether times have a zone. Numbers since 1970 have one: UTC.
func (c *Clock) Zoned() bool { return c.zone.zoned > 0 || c.Numeric > 0 && !c.relative() }

// Unzoned reports whether there are times without a zone, and nothing states it.
func (c *Clock) Unzoned() bool { return c.zone.without > 0 && !c.zone.stated }

// Take uses the zone that a format's documentation states, unless one is set.
func (c *Clock) Take(zone string) {
	if zone != "" && !c.zone.stated {
		c.SetZone(zone)
	}
}

// east returns the offset of a local time, in seconds east of UTC.
func (z *zone) east(local int64) int64 {
	z.without++
	if z.at == nil {
		return 0
	}
	if local/zoneBlock != z.block {
		first, kind := z.find(local / zoneBlock * zoneBlock)
		z.block = local / zoneBlock
		if last, same := z.find(z.block*zoneBlock + zoneBlock - 1); first != last || kind != same {
			z.block = -1
			first, kind = z.find(local)
		}
		z.offset, z.kind = first, kind
	}
	switch z.kind {
	case twice:
		z.twice++
	case never:
		z.missing++
	}
	return z.offset
}

// find looks the offset of a local time up. Of two the larger one is the first
// to happen. For a time that does not exist it is the one before the change.
func (z *zone) find(local int64) (offset int64, kind localKind) {
	before, after := z.offsetAt(local-86400), z.offsetAt(local+86400)
	isBefore := z.offsetAt(local-before) == before
	isAfter := z.offsetAt(local-after) == after
	switch {
	case before == after:
		return before, once
	case isBefore && isAfter:
		return max(before, after), twice
	case isAfter:
		return after, once
	case isBefore:
		return before, once
	}
	return before, never
}

func (z *zone) offsetAt(unix int64) int64 {
	_, offset := time.Unix(unix, 0).In(z.at).Zone()
	return int64(offset)
}

// describe says how stamps without an offset were read.
func (z *zone) describe() string {
	switch {
	case z.without == 0:
		return ""
	case z.name != "":
		return ", no zone: read as " + z.name
	}
	return ", no zone: read as UTC (--time-zone)"
}

// Warnings returns what is doubtful about the times of a file.
func (z *zone) Warnings(file string) (list []string) {
	if z.zoned > 0 && z.without > 0 && !z.stated {
		list = append(list, fmt.Sprintf("%s: %s a zone and %d %s none, which are read as UTC: --time-zone names theirs",
			file, someTimes(z.zoned, "has", "have"), z.without, words.Verb(z.without, "has", "have")))
	}
	if z.twice > 0 {
		list = append(list, fmt.Sprintf("%s: %s in an hour that happened twice in %s: the first of the two is taken", file, someTimes(z.twice, "lies", "lie"), z.name))
	}
	if z.missing > 0 {
		list = append(list, fmt.Sprintf("%s: %s in an hour that was skipped in %s: read as if the clocks had not been set forward", file, someTimes(z.missing, "lies", "lie"), z.name))
	}
	return list
}

// someTimes begins a sentence: "1 time lies", "2 times lie".
func someTimes(n int64, one, many string) string {
	return words.Count(n, "time") + " " + words.Verb(n, one, many)
}
