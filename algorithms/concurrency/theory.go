package concurrency

import "math"

// Queue is a backend behind a fixed limit, with Poisson arrivals and exponential services:
// the queue M/M/c/K.
type Queue struct {
	Servers  int64   // c
	Load     float64 // arrivals per mean service: above 0
	Deadline float64 // of an answer, in mean services
}

// Shares are shares of the requests of a queue.
type Shares struct{ Refused, Good float64 }

// Under returns the shares under each limit K from 1 to most: refused are those that find K
// requests in the backend, good those that are answered within the deadline.
func (q Queue) Under(most int64) []Shares {
	late := q.later()
	shares := make([]Shares, most)
	state, sum, good := 1.0, 1.0, 0.0 // of finding n requests, relative to finding none
	for n := range most {
		good += state * q.inTime(n, late)
		state *= q.Load / float64(min(n+1, q.Servers))
		sum += state
		shares[n] = Shares{Refused: state / sum, Good: good / sum}
		if sum > 1e100 {
			state, good, sum = state/sum, good/sum, 1
		}
	}
	return shares
}

// inTime returns the probability that a request that finds n others is answered in time.
func (q Queue) inTime(n int64, late []float64) float64 {
	waits := n - q.Servers + 1 // for so many services of the c servers together
	switch {
	case waits <= 0:
		return 1 - math.Exp(-q.Deadline)
	case waits < int64(len(late)):
		return late[waits]
	}
	return 0
}

// later returns for each m the probability that the sum of m exponential times with rate c
// and one with rate 1 is at most the deadline D. With the probabilities p of a Poisson
// distribution of mean cD it is the sum over i >= m of p(i) (1 - (1-1/c)^(i-m)).
func (q Queue) later() []float64 {
	mean := float64(q.Servers) * q.Deadline
	most := int(mean+12*math.Sqrt(mean)) + 60
	ratio := 1 - 1/float64(q.Servers)
	within := make([]float64, most)
	tail, weighed := 0.0, 0.0
	for i := most - 1; i >= 0; i-- {
		log, _ := math.Lgamma(float64(i) + 1)
		p := math.Exp(float64(i)*math.Log(mean) - mean - log)
		tail, weighed = tail+p, p+ratio*weighed
		within[i] = max(0, tail-weighed)
	}
	return within
}

// Lost returns the share of Poisson arrivals that find all of some places taken, whatever
// the distribution of services: Erlang's formula B. load is the arrivals per mean service.
func Lost(load float64, places int64) float64 {
	lost := 1.0
	for n := int64(1); n <= places; n++ {
		lost = load * lost / (float64(n) + load*lost)
	}
	return lost
}
