package live

import (
	"context"
	"errors"
	"testing"

	"github.com/limitgauge/limitgauge/live/exchange"
)

type failing struct{ err error }

func (f failing) Ask(context.Context, Request) (Verdict, error) { return Verdict{Admit: true}, f.err }

// TestAdapterFails checks that the error of a target is that of the request.
func TestAdapterFails(t *testing.T) {
	want := errors.New("no answer")
	if _, err := (adapter{failing{want}}).Ask(context.Background(), &exchange.Request{}); !errors.Is(err, want) {
		t.Errorf("the error is %v", err)
	}
	if a, err := (adapter{failing{}}).Ask(context.Background(), &exchange.Request{}); err != nil || a != exchange.Plain(true) {
		t.Errorf("%+v, %v", a, err)
	}
}
