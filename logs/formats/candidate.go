package formats

import "fmt"

// Candidate is a field that could have been taken, and the flag that takes it.
type Candidate struct {
	Of    string // time or key
	Field string
	Flag  string
}

// String names the field, what it could be and the flag.
func (c Candidate) String() string { return fmt.Sprintf("%s %s (%s)", c.Of, c.Field, c.Flag) }
