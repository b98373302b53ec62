package engine

import "fmt"

// mostWaiting is how many requests a trial may hold in one place at a time: that wait,
// or whose calls, messages or costs are on their way.
const mostWaiting = 1 << 20

// Crowd is the panic of a trial in which more is held than may be. What says in words what
// and how much, and Advice how to hold less.
type Crowd struct{ What, Advice string }

// crowded ends the trial if a place that grows holds mostWaiting already. It panics,
// because limiters have no error to return at an event.
func crowded(n int) {
	if n >= mostWaiting {
		endCrowded()
	}
}

// endCrowded ends the trial. It is apart from crowded, which runs at each event and is
// inlined as long as it is small.
func endCrowded() {
	panic(&Crowd{
		fmt.Sprintf("more than %d requests or messages wait", mostWaiting),
		"they arrive faster than they end; lower the rate, shorten the duration, or limit how long they wait",
	})
}

// Uncrowded calls do and returns what it panicked with, if that is a Crowd, and otherwise
// nil. A trial in which that happened must not go on.
func Uncrowded(do func()) (c *Crowd) {
	defer func() {
		value := recover()
		if is, ok := value.(*Crowd); ok {
			c = is
		} else if value != nil {
			panic(value)
		}
	}()
	do()
	return nil
}
