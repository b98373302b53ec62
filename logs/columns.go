package logs

// columns stores requests as columns of equal length, in this order: times (ns
// since 1970, or since the trace's start), the codes of keys, of each of
// Options.Fields and of clients if there are any, and costs if there are any.
// The recording's Names map codes to names.
type columns [][]int64

// shape describes which columns a recording has.
type shape struct {
	codes  int // columns of codes
	client bool
	cost   bool
}

func (o *Options) shape() shape {
	s := shape{codes: 1 + len(o.Fields), client: o.Client != "", cost: len(o.Cost) > 0}
	if s.client {
		s.codes++
	}
	return s
}

// columns returns the number of columns.
func (s shape) columns() int {
	if s.cost {
		return 1 + s.codes + 1
	}
	return 1 + s.codes
}

// rowBytes returns the size of one row in memory.
func (s shape) rowBytes() int { return 8 * s.columns() }

// make returns columns without rows that have space for n.
func (s shape) make(n int) columns {
	c := make(columns, s.columns())
	for k := range c {
		c[k] = make([]int64, 0, n)
	}
	return c
}

func (c columns) times() []int64 { return c[0] }
func (c columns) costs() []int64 { return c[len(c)-1] }

// cut shortens the columns to n rows, or extends them within their capacity.
func (c columns) cut(n int) {
	for k := range c {
		c[k] = c[k][:n]
	}
}

// add appends rows lo to hi of others.
func (c columns) add(others columns, lo, hi int) {
	for k := range c {
		c[k] = append(c[k], others[k][lo:hi]...)
	}
}

// pick appends the rows of others with these numbers.
func (c columns) pick(others columns, numbers []int32) {
	for k, from := range others {
		to := c[k]
		for _, i := range numbers {
			to = append(to, from[i])
		}
		c[k] = to
	}
}
