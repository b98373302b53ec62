package kept

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
	BlockRows  = 1024 // of a block, at most
	slackBytes = 8
)

// pack appends the block of some rows.
func pack(block []byte, rows Columns, unit int) []byte {
	block = binary.LittleEndian.AppendUint16(block, uint16(len(rows.Times())))
	block = append(block, byte(unit))
	block = packColumn(block, rows.Times(), resolutions[unit])
	for _, column := range rows.Wide[1:] {
		block = packColumn(block, column, 1)
	}
	for _, column := range rows.Codes {
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
func unpack(block []byte, rows Columns) {
	rows.Cut(int(binary.LittleEndian.Uint16(block)))
	rest := unpackColumn(block[3:], rows.Times(), resolutions[block[2]])
	for _, column := range rows.Wide[1:] {
		rest = unpackColumn(rest, column, 1)
	}
	for _, column := range rows.Codes {
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
	to    *Spool
	unit  int     // of times, index into resolutions: all times so far are multiples
	rows  Columns // fewer than BlockRows, to be packed
	block []byte  // reused
}

func newPacker(to *Spool, s Shape) *packer { return &packer{to: to, rows: s.Make(BlockRows)} }

// add writes rows lo to hi.
func (p *packer) add(rows Columns, lo, hi int) error {
	for lo < hi {
		n := min(hi-lo, BlockRows-len(p.rows.Times()))
		p.rows.Add(rows, lo, lo+n)
		if err := p.full(); err != nil {
			return err
		}
		lo += n
	}
	return nil
}

// pick writes the rows with these numbers.
func (p *packer) pick(rows Columns, numbers []int32) error {
	for len(numbers) > 0 {
		n := min(len(numbers), BlockRows-len(p.rows.Times()))
		p.rows.Pick(rows, numbers[:n])
		if err := p.full(); err != nil {
			return err
		}
		numbers = numbers[n:]
	}
	return nil
}

// full packs the waiting rows if they fill a block.
func (p *packer) full() error {
	if len(p.rows.Times()) < BlockRows {
		return nil
	}
	return p.end()
}

// end packs the waiting rows.
func (p *packer) end() error {
	if len(p.rows.Times()) == 0 {
		return nil
	}
	p.block = pack(p.block[:0], p.rows, p.unit)
	p.rows.Cut(0)
	return p.to.add(p.block)
}

// Unpacker reads the rows of a run. It can be reused for another run.
type Unpacker struct {
	from *Spool
	run  Run
	at   int    // the next block
	buf  []byte // reused for blocks in the file
	Rows Columns
}

// NewUnpacker returns an unpacker of rows with these columns.
func NewUnpacker(s Shape) *Unpacker { return &Unpacker{Rows: s.Make(BlockRows)} }

// Begin positions the unpacker before the first rows of a run.
func (u *Unpacker) Begin(from *Spool, r Run) {
	u.from, u.run, u.at = from, r, r.from
	u.Rows.Cut(0)
}

// Next replaces the rows by the next ones of the run. At the end of the run
// there are none.
func (u *Unpacker) Next() error {
	u.Rows.Cut(0)
	if u.at == u.run.to {
		return nil
	}
	block, err := u.from.block(u.at, &u.buf)
	if err != nil {
		return err
	}
	unpack(block, u.Rows)
	u.at++
	return nil
}

// resolutions are the units that stamps come in, largest first.
var resolutions = []int64{1e9, 1e6, 1e3, 100, 1}
