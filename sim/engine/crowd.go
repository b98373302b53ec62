package engine

// mostWaiting is how many requests a trial may hold in one place at a time: that wait,
// or whose calls, messages or costs are on their way.
const mostWaiting = 1 << 20

// crowd is the panic of a place that would hold more than mostWaiting.
type crowd struct{}

// crowded ends the trial if a place that grows holds mostWaiting already. It panics,
// because limiters have no error to return at an event.
func crowded(n int) {
	if n >= mostWaiting {
		panic(crowd{})
	}
}

// Uncrowded calls do and returns how many requests a place of the trial would hold at
// least, if these are more than it may, and otherwise 0. A trial in which that happened
// must not go on.
func Uncrowded(do func()) (held int) {
	defer func() {
		switch value := recover(); value {
		case nil:
		case crowd{}:
			held = mostWaiting
		default:
			panic(value)
		}
	}()
	do()
	return 0
}
