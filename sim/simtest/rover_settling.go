package simtest

// claims returns what request i claims on arrival.
func (n *RoverModel) claims(i int) int64 {
	switch n.Settle {
	case "":
		return n.Arrivals[i].Cost
	case "reserve-maximum-then-refund":
		largest := int64(0)
		for _, a := range n.Arrivals {
			largest = max(largest, a.Cost, a.Estimate)
		}
		return largest
	}
	return n.Arrivals[i].Estimate
}

// open plans the answer of a dispatched request, and the expiry of its claim.
func (n *RoverModel) open(b *Bucket, i int) {
	claim, cost, answered := n.claims(i), n.Arrivals[i].Cost, false
	n.At(n.Now+n.Arrivals[i].Answer, answer, func() {
		if n.Settle != "none" {
			claim = n.correct(b, claim, cost)
		}
		answered = true
		b.Ceil += claim
		n.serve(b)
	})
	if n.Settle == "none" || n.Expires == 0 {
		return
	}
	n.At(n.Now+n.Expires, lapse, func() {
		if !answered {
			claim = n.correct(b, claim, 0)
			n.serve(b)
		}
	})
}

// correct makes a claim one of this cost, and returns what it claims then.
func (n *RoverModel) correct(b *Bucket, claim, cost int64) int64 {
	more := cost - claim
	if more <= 0 {
		b.Head -= more
		b.Ceil -= more
		return cost
	}
	if !n.Debt {
		more = min(more, max(0, b.Head-b.Tail))
	}
	b.Tail += more
	return claim + more
}
