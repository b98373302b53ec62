package logs

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// Rows that are kept are packed into blocks, and blocks into pages. A block
// consists of
//
//	number of rows         2 bytes
//	unit of its times      1 byte, index into resolutions
//	its columns            times, costs if there are any, codes
//
// and a column consists of
//
//	the smallest value     8 bytes
//	bytes per value        1 byte
//	the values             each minus the smallest one, in units
//
// All numbers are little endian. A block without rows ends a page.
const (
	blockRows  = 256      // of a block, at most
	pageBytes  = 64 << 10 // of a page; any block fits: a scenario has at most 32 policies, and so 32 fields
	slackBytes = 8        // after a page, so that every value can be loaded as a word
	headBytes  = 3
)

// packedBytes returns the maximum size of a block of n rows.
func (s shape) packedBytes(n int) int {
	columns := 1 + s.codes
	if s.cost {
		columns++
	}
	return headBytes + 9*columns + n*s.rowBytes()
}

// pack appends the block of rows r to a page with enough space.
func pack(page []byte, r *columns, unit int) []byte {
	page = binary.LittleEndian.AppendUint16(page, uint16(len(r.time)))
	page = append(page, byte(unit))
	page = packColumn(page, r.time, resolutions[unit])
	if r.cost != nil {
		page = packColumn(page, r.cost, 1)
	}
	for _, column := range r.codes {
		page = packColumn(page, column, 1)
	}
	return page
}

func packColumn[T int32 | int64](page []byte, values []T, unit int64) []byte {
	least := slices.Min(values)
	width := (bits.Len64(uint64(slices.Max(values)-least)/uint64(unit)) + 7) / 8
	page = binary.LittleEndian.AppendUint64(page, uint64(least))
	page = append(page, byte(width))
	at := len(page)
	page = page[:at+width*len(values)]
	if width == 0 {
		return page
	}
	words := page[:cap(page)]
	for _, v := range values {
		above := uint64(v - least)
		if unit > 1 {
			above /= uint64(unit)
		}
		binary.LittleEndian.PutUint64(words[at:], above)
		at += width
	}
	return page
}

// unpack replaces r by the block at the start of rest and returns what follows.
// At the end of a page r has no rows.
func unpack(rest []byte, r *columns) []byte {
	n := int(binary.LittleEndian.Uint16(rest))
	r.cut(n)
	if n == 0 {
		return rest
	}
	unit := resolutions[rest[2]]
	rest = unpackColumn(rest[headBytes:], r.time, unit)
	if r.cost != nil {
		rest = unpackColumn(rest, r.cost, 1)
	}
	for _, column := range r.codes {
		rest = unpackColumn(rest, column, 1)
	}
	return rest
}

func unpackColumn[T int32 | int64](rest []byte, values []T, unit int64) []byte {
	least, width := T(binary.LittleEndian.Uint64(rest)), int(rest[8])
	rest = rest[9:]
	mask := uint64(1)<<(8*width) - 1
	at := 0
	for i := range values {
		values[i] = least + T(binary.LittleEndian.Uint64(rest[at:])&mask)*T(unit)
		at += width
	}
	return rest[at:]
}
