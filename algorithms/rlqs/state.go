package rlqs

// Subscriber is what a server knows of a client of a key.
type Subscriber struct {
	Client   int32
	Demand   Capacity
	Assigned Capacity
	Until    int64 // ns; when the assignment expires if it arrives at once, 0 for none
}

// Subscribers returns the clients of a key in the order in which they subscribed,
// those to forget until the next report of the key.
func (s *Server) Subscribers(key int32) (list []Subscriber) {
	for _, b := range s.keys.At(key).list {
		list = append(list, Subscriber{Client: b.client, Demand: b.demand, Assigned: b.assigned, Until: b.until})
	}
	return list
}
