package demands

// Bytes estimates the memory that demands made by New(keys, flows, memory) take after a
// number of requests, of which few are of the same pair.
func Bytes(keys, flows int, memory int64, requests float64) int64 {
	pairs := int64(keys) * int64(flows)
	switch {
	case keys < 2 || flows < 2:
		return 0
	case pairs > memory/2:
		return tableBytes(min(requests, float64(pairs)), memory)
	case pairs <= fewPairs || flows > mostNumbers:
		return pairs
	}
	p := partsOf(keys, flows)
	bytes := p.logBytes() + 8*int64(p.pairs) // the latter for sums of one part
	if requests >= float64(p.count)*float64(p.rows()) {
		bytes += p.denseBytes()
	}
	return bytes
}

// tableBytes returns the memory of a table of this many pairs, at most half of all.
func tableBytes(pairs float64, memory int64) int64 {
	bytes := int64(SlotBytes)
	for float64(bytes/SlotBytes)*3/4 < pairs && bytes < memory/2 {
		bytes *= 2
	}
	return bytes
}

// rows returns the number of rows that a log has room for in each part.
func (p *parts) rows() int { return max(minRows, p.pairs/pairsPerRow) }

// logBytes returns the memory of a log without dense parts.
func (p *parts) logBytes() int64 { return rowBytes * int64(p.count) * int64(p.rows()) }

// denseBytes returns the memory of a byte for each pair.
func (p *parts) denseBytes() int64 { return int64(p.count) * int64(p.pairs) }
