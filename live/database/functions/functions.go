// Package functions holds the token bucket in a row of a SQL table as scripts for
// PostgreSQL: the function of the post and corrected ones.
//
// The package makes no promise: it can change at any time.
package functions

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/limitgauge/limitgauge/algorithms/sql"
	"github.com/limitgauge/limitgauge/internal/lists"
)

//go:embed *.sql
var scripts embed.FS

// Variant is one of the functions.
type Variant struct {
	Name    string
	About   string
	Options sql.Options // of the rule that computes the same
	Rounds  bool        // fractions of a token are rounded, so that the rule of ties matters
}

// Variants returns the functions.
func Variants() []Variant {
	return []Variant{
		{"published", "as published: the stamp is the transaction's start", sql.Options{}, true},
		{"call-stamp", "the stamp is the time of the call", sql.Options{StampCall: true}, true},
		{"row-lock", "locks the row before it reads the clock; the stamp is the time of the call", sql.Options{StampCall: true}, true},
		{"exact", "an exact token bucket: fractions kept, rejections change nothing; locks the row first", sql.Options{StampCall: true, KeepFraction: true, NoRefusal: true, CapBefore: true}, false},
	}
}

// Names returns the names of the functions.
func Names() []string {
	return lists.Map(Variants(), func(v Variant) string { return v.Name })
}

// Install says which script to write.
type Install struct {
	Variant    string // its name
	TiesToEven bool   // compute in double precision, as PostgreSQL before 14, so that halves round to even
}

// Rule returns the options of the rule that computes the same. It returns an error
// if there is no such variant.
func (i Install) Rule() (sql.Options, error) {
	v, err := i.variant()
	o := v.Options
	o.TiesToEven = i.TiesToEven && v.Rounds
	return o, err
}

func (i Install) variant() (Variant, error) {
	names := Names()
	if at := slices.Index(names, i.Variant); at >= 0 {
		return Variants()[at], nil
	}
	return Variant{}, fmt.Errorf("no variant %q: want %s or %s", i.Variant, strings.Join(names[:len(names)-1], ", "), names[len(names)-1])
}

// Script returns the script: a table rate_limits and a function take_token(key,
// refill per second, window in seconds).
func (i Install) Script() (string, error) {
	if _, err := i.variant(); err != nil {
		return "", err
	}
	text, err := scripts.ReadFile(i.Variant + ".sql")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if err := template.Must(template.New(i.Variant).Parse(string(text))).Execute(&b, i); err != nil {
		return "", err
	}
	return b.String(), nil
}

// Elapsed returns the SQL of the seconds since a row's stamp.
func (i Install) Elapsed() string { return i.ElapsedTo("clock_timestamp()") }

// ElapsedTo returns the SQL of the seconds from a row's stamp to a time. The exact
// bucket always computes in decimals.
func (i Install) ElapsedTo(clock string) string {
	if i.TiesToEven && i.Variant != "exact" {
		return "date_part('epoch', " + clock + " - b.stamp)" // double precision in every version
	}
	return "extract(epoch from " + clock + " - b.stamp)" // numeric since version 14
}
