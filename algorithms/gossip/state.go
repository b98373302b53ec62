package gossip

// Drop returns the share of a key's requests that a limiter drops at random, in
// units of 2^-32.
func (n *Node) Drop(key int32) uint32 {
	k := n.keys.At(key)
	n.settle(k)
	return k.drop
}
