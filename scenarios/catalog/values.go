package catalog

import (
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Position is a position in a scenario file, counted from 1. The zero Position
// belongs to a default.
type Position struct{ Line, Col int }

// Value is one bound field. V has the Go type that is documented at its Kind.
type Value struct {
	V     any
	Pos   Position
	Given bool // true if the file sets it, false for a default
}

// Values holds the bound fields of one entry by field name. Reading an unset
// field returns the zero value. Reading a field as another type panics.
type Values map[string]Value

// Choice is a bound Union: the name of the selected kind and its fields.
type Choice struct {
	Name   string
	Values Values
	Pos    Position
}

// Set reports whether the field has a value, from the file or by default.
func (v Values) Set(name string) bool { return v[name].V != nil }

func get[T any](v Values, name string) (t T) {
	if x := v[name].V; x != nil {
		t = x.(T)
	}
	return t
}

func (v Values) Int(name string) int64            { return get[int64](v, name) }
func (v Values) Uint(name string) uint64          { return get[uint64](v, name) }
func (v Values) Duration(name string) int64       { return get[int64](v, name) }
func (v Values) Decimal(name string) float64      { return get[float64](v, name) }
func (v Values) Share(name string) units.Fraction { return get[units.Fraction](v, name) }
func (v Values) Bool(name string) bool            { return get[bool](v, name) }
func (v Values) String(name string) string        { return get[string](v, name) }
func (v Values) Rate(name string) units.Rate      { return get[units.Rate](v, name) }
func (v Values) Choice(name string) Choice        { return get[Choice](v, name) }
func (v Values) Group(name string) Values         { return get[Values](v, name) }
func (v Values) List(name string) []any           { return get[[]any](v, name) }

// IntOr returns the value of an IntOrEnum field: a number, or a word and 0.
func (v Values) IntOr(name string) (n int64, word string) {
	switch x := v[name].V.(type) {
	case int64:
		return x, ""
	case string:
		return 0, x
	}
	return 0, ""
}
