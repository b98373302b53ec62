package postgres

import (
	"strings"
	"testing"
)

// A server must be on this machine unless others are allowed.
func TestParse(t *testing.T) {
	t.Setenv("PGHOST", "")
	for _, c := range []struct {
		dsn  string
		here bool
	}{
		{"host=localhost", true}, {"host=/run/postgresql dbname=x", true}, {"postgres://u@127.0.0.1:5432/x", true}, {"postgres://[::1]/x", true},
		{"postgres://u:p@127.0.0.9/x", true}, {"host=db.example.com", false}, {"postgres://u@10.0.0.1/x", false},
		{"host=localhost,db.example.com", false}, {"host=localhost hostaddr=10.0.0.1", false}, {"host=127.0.0.1.example.com", false},
	} {
		if _, err := Parse(c.dsn, false); (err == nil) != c.here {
			t.Errorf("%s: %v, want an error: %v", c.dsn, err, !c.here)
		}
		if s, err := Parse(c.dsn, true); err != nil || s.Remote() == c.here {
			t.Errorf("%s with other machines allowed: %v, want no error, and whether it is remote", c.dsn, err)
		}
	}
}

// No text contains a password.
func TestPasswordsStaySecret(t *testing.T) {
	for _, dsn := range []string{
		"postgres://u:hush@127.0.0.1:1/x", "postgres://u:hush%zz@localhost/x", "host=localhost port=hush password=hush", "host=localhost password=hush port=1",
		"postgres://u:hush@localhost:hush/x", "password=hush host=db.example.com", "host=localhost password='hush",
	} {
		s, err := Parse(dsn, false)
		if err == nil {
			_, err = s.Connect(t.Context(), "serializable")
		}
		if err == nil || strings.Contains(err.Error(), "hush") || s != nil && strings.Contains(s.String(), "hush") {
			t.Errorf("%s: %v (%v), want an error without the password", dsn, err, s)
		}
	}
}
