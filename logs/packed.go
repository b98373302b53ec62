package logs

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// Rows that are kept are packed into blocks. A block consists of
//
//	number of rows         2 bytes
//	unit of its times      1 byte, index into resolutions
//	its columns            times, costs if there are any, codes
//	slack                  8 bytes, so that every value can be loaded as a word
//
// and a column consists of
//
//	the smallest value     8 bytes
//	bytes per value        1 byte
//	the values             each minus the smallest one, in units
//
// All numbers are little endian.
const (
	blockRows  = 1024 // of a block, at most
	slackBytes = 8
)

// pack appends the block of some rows.
func pack(block []byte, rows columns, unit int) []byte {
	block = binary.LittleEndian.AppendUint16(block, uint16(len(rows.times())))
	block = append(block, byte(unit))
	block = packColumn(block, rows.times(), resolutions[unit])
	for _, column := range rows.wide[1:] {
		block = packColumn(block, column, 1)
	}
	for _, column := range rows.codes {
		block = packColumn(block, column, 1)
	}
	return append(block, make([]byte, slackBytes)...)
}

func packColumn[T int32 | int64](block []byte, values []T, unit int64) []byte {
	least := slices.Min(values)
	width := (bits.Len64(uint64(slices.Max(values)-least)/uint64(unit)) + 7) / 8
	block = binary.LittleEndian.AppendUint64(block, uint64(least))
	block = append(block, byte(width))
	if width == 0 {
		return block
	}
	at, end := len(block), len(block)+width*len(values)
	words := slices.Grow(block, end-at+slackBytes)[:end+slackBytes]
	for _, v := range values {
		above := uint64(v - least)
		if unit > 1 {
			above /= uint64(unit)
		}
		binary.LittleEndian.PutUint64(words[at:], above)
		at += width
	}
	return words[:end]
}

// unpack replaces rows by those of a block.
func unpack(block []byte, rows columns) {
	rows.cut(int(binary.LittleEndian.Uint16(block)))
	rest := unpackColumn(block[3:], rows.times(), resolutions[block[2]])
	for _, column := range rows.wide[1:] {
		rest = unpackColumn(rest, column, 1)
	}
	for _, column := range rows.codes {
		rest = unpackColumn(rest, column, 1)
	}
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

// packer writes rows to a spool.
type packer struct {
	to    *spool
	unit  int     // of times, index into resolutions: all times so far are multiples
	rows  columns // fewer than blockRows, to be packed
	block []byte  // reused
}

func newPacker(to *spool, s shape) *packer { return &packer{to: to, rows: s.make(blockRows)} }

// add writes rows lo to hi.
func (p *packer) add(rows columns, lo, hi int) error {
	for lo < hi {
		n := min(hi-lo, blockRows-len(p.rows.times()))
		p.rows.add(rows, lo, lo+n)
		if err := p.full(); err != nil {
			return err
		}
		lo += n
	}
	return nil
}

// pick writes the rows with these numbers.
func (p *packer) pick(rows columns, numbers []int32) error {
	for len(numbers) > 0 {
		n := min(len(numbers), blockRows-len(p.rows.times()))
		p.rows.pick(rows, numbers[:n])
		if err := p.full(); err != nil {
			return err
		}
		numbers = numbers[n:]
	}
	return nil
}

// full packs the waiting rows if they fill a block.
func (p *packer) full() error {
	if len(p.rows.times()) < blockRows {
		return nil
	}
	return p.end()
}

// end packs the waiting rows.
func (p *packer) end() error {
	if len(p.rows.times()) == 0 {
		return nil
	}
	p.block = pack(p.block[:0], p.rows, p.unit)
	p.rows.cut(0)
	return p.to.add(p.block)
}

// unpacker reads the rows of a run. It can be reused for another run.
type unpacker struct {
	from *spool
	run  run
	at   int    // the next block
	buf  []byte // reused for blocks in the file
	rows columns
}

func newUnpacker(s shape) *unpacker { return &unpacker{rows: s.make(blockRows)} }

// begin positions the unpacker before the first rows of a run.
func (u *unpacker) begin(from *spool, r run) {
	u.from, u.run, u.at = from, r, r.from
	u.rows.cut(0)
}

// next replaces the rows by the next ones of the run. At the end of the run
// there are none.
func (u *unpacker) next() error {
	u.rows.cut(0)
	if u.at == u.run.to {
		return nil
	}
	block, err := u.from.block(u.at, &u.buf)
	if err != nil {
		return err
	}
	unpack(block, u.rows)
	u.at++
	return nil
}

// resolutions are the units that stamps come in, largest first.
var resolutions = []int64{1e9, 1e6, 1e3, 100, 1}
