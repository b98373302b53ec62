// Package units reads and writes the quantities of a scenario file as people
// write them (500/s, 10/60s, 250ms, 2k, 5%) and keeps them exact: integers and
// fractions of integers, never floats. It is a leaf.
package units

// Rate is Count events per Per nanoseconds, as written: 100/min is {100, 6e10},
// not its lowest terms, because the period of a limit is also its window.
// A decimal count scales both sides: 2.5/s is {25, 1e10}.
type Rate struct {
	Count int64
	Per   int64
}

// Fraction is Num/Den, exact, Den > 0, in lowest terms.
type Fraction struct {
	Num, Den int64
}
