// Package units reads and writes the quantities of a scenario file (500/s,
// 10/60s, 250ms, 2k, 5%) and keeps them exact: as integers and fractions of
// integers, never as floats. It imports no other package of this module.
//
// The package makes no promise: it can change at any time.
package units

// Rate is Count events per Per nanoseconds, as written. 100/min is {100, 6e10}
// and is not reduced to lowest terms, because the period of a limit is also its
// window. A decimal count scales both numbers: 2.5/s is {25, 1e10}.
type Rate struct {
	Count int64
	Per   int64
}

// Fraction is the exact number Num/Den in lowest terms, with Den > 0.
type Fraction struct {
	Num, Den int64
}
