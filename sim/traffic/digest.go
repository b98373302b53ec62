package traffic

import "fmt"

// Digest identifies the arrivals of one replication: equal arrivals have equal digests, and
// others almost certainly have not. Of traffic that is drawn, it has an eighth, for speed: a
// change of what is drawn changes many arrivals. Times that are not drawn, and recordings, it
// has whole.
type Digest struct {
	sum         uint64
	times, step int // of the column of times, and of others, see addColumn
}

// NewDigest returns the digest of no arrivals.
func (p *Plan) NewDigest() Digest {
	d := Digest{times: 8, step: 8}
	for _, s := range p.entrySources {
		if s.recording != nil {
			return Digest{times: 1, step: 1}
		}
		if !s.pattern.Random() {
			d.times = 1
		}
	}
	return d
}

// Add adds the next block of arrivals.
func (d *Digest) Add(b *Block) {
	d.sum += uint64(b.N)
	addColumn(d, b.Time[:b.N], d.times)
	addColumn(d, b.Time[max(0, b.N-1):b.N], 1)
	addColumn(d, b.Key[:b.N], d.step)
	addColumn(d, b.Tenant[:b.N], d.step)
	addColumn(d, b.Client[:b.N], d.step)
	addColumn(d, b.Cost[:b.N], d.step)
	addColumn(d, b.Rejected, d.step)
	addColumn(d, b.Descriptors.First, d.step)
	addColumn(d, b.Descriptors.Keys, d.step)
	addColumn(d, b.Estimate[:min(b.N, len(b.Estimate))], d.step)
	addColumn(d, b.Answer[:min(b.N, len(b.Answer))], d.step)
}

// addColumn adds one of each step groups of four values of a column. Factors and the second
// sum make the order count.
func addColumn[T int32 | int64](d *Digest, column []T, step int) {
	first, second, at := uint64(0), uint64(0), 0
	for ; at <= len(column)-4; at += 4 * step {
		four := column[at : at+4]
		first += uint64(four[0]) + 3*uint64(four[1]) + 5*uint64(four[2]) + 7*uint64(four[3])
		second += first
	}
	for ; at < len(column); at++ {
		first += uint64(column[at])
		second += first
	}
	d.sum = mix(mix(d.sum^first) ^ second)
}

// mix spreads each bit over all, as the random streams do.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// String returns the digest as 16 hexadecimal digits.
func (d *Digest) String() string { return fmt.Sprintf("%016x", d.sum) }
