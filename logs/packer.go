package logs

// packer writes rows to a spool.
type packer struct {
	to    *spool
	shape shape
	unit  int     // of times, index into resolutions: all times so far are multiples
	rows  columns // fewer than blockRows, to be packed
	page  []byte
}

func newPacker(to *spool, s shape) *packer {
	p := &packer{to: to, shape: s, rows: s.make(blockRows), page: make([]byte, 0, pageBytes+slackBytes)}
	p.rows.cut(0)
	return p
}

// add writes rows lo to hi.
func (p *packer) add(r *columns, lo, hi int) error {
	for lo < hi {
		n := min(hi-lo, blockRows-len(p.rows.time))
		p.rows.add(r, lo, lo+n)
		if err := p.block(blockRows); err != nil {
			return err
		}
		lo += n
	}
	return nil
}

// pick writes the rows with these numbers.
func (p *packer) pick(r *columns, numbers []int32) error {
	for len(numbers) > 0 {
		n := min(len(numbers), blockRows-len(p.rows.time))
		p.rows.pick(r, numbers[:n])
		if err := p.block(blockRows); err != nil {
			return err
		}
		numbers = numbers[n:]
	}
	return nil
}

// block packs the waiting rows if there are at least least of them.
func (p *packer) block(least int) error {
	n := len(p.rows.time)
	if n < least {
		return nil
	}
	const end = 2 // bytes of the block that ends a page
	if len(p.page)+p.shape.packedBytes(n)+end > pageBytes {
		if err := p.endPage(); err != nil {
			return err
		}
	}
	p.page = pack(p.page, &p.rows, p.unit)
	p.rows.cut(0)
	return nil
}

func (p *packer) endPage() error {
	err := p.to.add(append(p.page, 0, 0))
	p.page = p.page[:0]
	return err
}

// end writes the waiting rows and ends the page.
func (p *packer) end() error {
	if err := p.block(1); err != nil || len(p.page) == 0 {
		return err
	}
	return p.endPage()
}

// unpacker reads the rows of a run. It can be reused for another run.
type unpacker struct {
	from *spool
	run  run
	page int // the next one
	buf  []byte
	rest []byte // of the current page
	rows columns
}

func newUnpacker(s shape) *unpacker { return &unpacker{rows: s.make(blockRows)} }

// begin positions the unpacker before the first rows of a run.
func (u *unpacker) begin(from *spool, r run) {
	u.from, u.run, u.page = from, r, r.from
	u.rest = []byte{0, 0} // as at a page's end
	u.rows.cut(0)
}

// next replaces the rows by the next ones of the run. At the end of the run
// there are none.
func (u *unpacker) next() error {
	for {
		u.rest = unpack(u.rest, &u.rows)
		if len(u.rows.time) > 0 || u.page == u.run.to {
			return nil
		}
		if u.buf == nil && u.page >= len(u.from.held) {
			u.buf = make([]byte, pageBytes+slackBytes)
		}
		var err error
		if u.rest, err = u.from.page(u.page, u.buf); err != nil {
			return err
		}
		u.page++
	}
}
