package targets

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"syscall"
)

// Elsewhere is the error of a host that is not on this machine and not allowed.
type Elsewhere struct{ Host string }

func (e *Elsewhere) Error() string {
	return fmt.Sprintf("%s is not on this machine: allow it with --allow %s", e.Host, e.Host)
}

// Dial connects to an address. It returns *Elsewhere instead of connecting to another
// machine that Setting.Allow does not name. It judges the address that the system is
// about to connect to, so a name that resolves to another machine is refused, too.
func (s *Setting) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	var d net.Dialer
	host, _, err := net.SplitHostPort(address)
	if network != "unix" && (err != nil || !slices.Contains(s.Allow, host)) {
		d.ControlContext = func(_ context.Context, _, resolved string, _ syscall.RawConn) error {
			to, err := netip.ParseAddrPort(resolved)
			if err != nil || !to.Addr().Unmap().IsLoopback() {
				return &Elsewhere{host}
			}
			return nil
		}
	}
	return d.DialContext(ctx, network, address)
}
