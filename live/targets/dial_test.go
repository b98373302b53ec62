package targets

import (
	"context"
	"testing"
)

// An address without a host, such as of an unset variable, is no machine to allow.
func TestAddressWithoutHost(t *testing.T) {
	_, err := (&Setting{}).Dial(context.Background(), "tcp", ":4222")
	if want := "the address names no host"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
