package engine

import (
	"context"
	"errors"
	"testing"

	"github.com/limitgauge/limitgauge/sim/outside"
)

// badEnd is a fleet that fails when it is closed.
type badEnd struct{ outside.Fleet }

func (badEnd) Close() error { return errors.New("exit status 7") }

// A limiter that fails at its end is named, as one that fails before.
func TestFailureAtTheEnd(t *testing.T) {
	o, _ := NewOutside(context.Background(), func(context.Context, outside.Program) (outside.Fleet, error) { return badEnd{}, nil })
	if _, err := o.Make(outside.Program{Row: "mine"}); err != nil {
		t.Fatal(err)
	}
	if err := o.Close(nil); err == nil || err.Error() != "mine: exit status 7" || !errors.As(err, new(*outside.Error)) {
		t.Errorf("%v", err)
	}
}
