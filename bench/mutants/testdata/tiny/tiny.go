// Package tiny has mutants that its test kills, and one that it does not.
package tiny

import "example.com/tiny/floor"

// Child reports whether a person of an age in years is a child.
func Child(age int) bool { return age < 18 }

// Fare returns the price of a ticket.
func Fare(age int) int { return floor.AtLeast(2, age/10) }

// Larger has a mutant that nobody can see: equal numbers are equal.
func Larger(a, b int) int {
	if a < b {
		return b
	}
	return a
}
