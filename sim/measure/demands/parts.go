package demands

// parts numbers the pairs of some adjacent keys together. A part has at most mostNumbers
// pairs, unless one key has more.
type parts struct {
	flows   int
	keyBits uint // a part has 1<<keyBits keys
	pairs   int  // of a part
	count   int  // of parts
}

// mostNumbers is the number of pairs that logRow can tell apart. Tests set smaller ones.
var mostNumbers = 1 << 16

func partsOf(keys, flows int) parts {
	p := parts{flows: flows}
	for flows<<(p.keyBits+1) <= mostNumbers && 1<<p.keyBits < keys {
		p.keyBits++
	}
	p.pairs = flows << p.keyBits
	p.count = (keys + 1<<p.keyBits - 1) >> p.keyBits
	return p
}

// pair returns the pair with a number in a part.
func (p *parts) pair(part, number int) (key, flow int32) {
	return int32(part<<p.keyBits + number/p.flows), int32(number % p.flows)
}
