package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/cmd/explore"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

// exploring holds the flags of explore.
type exploring struct {
	addr  string
	allow []string
	sets  []string
	open  bool
}

func (a *app) exploreCommand() *cobra.Command {
	var e exploring
	c := &cobra.Command{
		Use:   "explore [FILE | SUITE | -]",
		Short: "open a page on this machine that turns the settings of scenarios into knobs",
		Long: `Explore serves a page on which every setting of a scenario is a knob: the demand, the
clients, the limit, the options of each limiter, the network, faults. The figures and
tables are those of limitgauge run, and are simulated anew while a knob moves: a short
run as a preview while you drag, all replications when you let go. Two settings can be
compared side by side, and one knob drawn as a curve. Copy as YAML and copy as command
give what makes the same figures.

It prints the address of the page and serves it until Ctrl-C, which ends it with 0.
Nothing is written to disk, nothing leaves this machine, and programs under exec: are
never started. It listens on this machine alone, unless --addr names another address
and --allow the hosts by which browsers may reach it.`,
		Example: `  limitgauge explore scenarios.yaml
  limitgauge explore basic --open
  limitgauge explore scenarios.yaml --addr 127.0.0.1:8321`,
		Args:              usage.Arguments(0, 1),
		ValidArgsFunction: suiteOrFile(1),
	}
	f := c.Flags()
	f.StringVar(&e.addr, "addr", "127.0.0.1:0", "listen at `ADDRESS`; port 0 takes a free one")
	f.StringArrayVar(&e.allow, "allow", nil, "serve also browsers that reach this machine as `HOST`; needed to listen beyond this machine, where everyone who reaches the page can run simulations")
	inputs.SetFlag(c, &e.sets)
	f.BoolVar(&e.open, "open", false, "also open the page in the browser")
	c.RunE = func(c *cobra.Command, args []string) error {
		return a.explore(c.Context(), &e, inputs.FileArgument(args))
	}
	return c
}

// explore serves the page of a file until ctx ends.
func (a *app) explore(ctx context.Context, e *exploring, name string) error {
	defer terminal.Calm()()
	if err := e.check(); err != nil {
		return err
	}
	src, err := inputs.ReadSource(a.Host, name)
	if err != nil {
		return err
	}
	f, err := inputs.LoadSource(ctx, a.Host, src, scenarios.Overrides{Sets: e.sets})
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", e.addr)
	if err != nil {
		return usage.Errorf("--addr %s: %w", e.addr, cause(err))
	}
	defer l.Close()
	explorer, problems, err := explore.New(ctx, f, explore.Options{
		Name: name, Sets: e.sets, Catalog: a.Catalog(), Metrics: measure.Metrics(), Memory: terminal.FreeMemory(),
		Again: e.again(name, l.Addr()),
		Stamp: func(f *scenarios.File, rerun string) results.Stamp { return a.StampOf(f, rerun) },
	})
	if len(problems) > 0 {
		err = &sim.Invalid{Problems: problems}
	}
	if err != nil {
		return err
	}
	defer explorer.Close()
	server, err := explore.NewServer(explorer, l.Addr(), e.allow)
	if err != nil {
		return err
	}
	url := "http://" + e.host(l.Addr()) + "/"
	if _, err := fmt.Fprintln(a.Out, url); err != nil {
		return err // nobody would find the page
	}
	a.Note("serving %s until Ctrl-C", name)
	if e.open {
		if err := browse(url); err != nil {
			a.Note("no browser could be opened: %v", err)
		}
	}
	return server.Serve(ctx, l)
}

// check returns an error if the address is none, or is beyond this machine without leave.
func (e *exploring) check() error {
	host, _, err := net.SplitHostPort(e.addr)
	if err != nil {
		return usage.Errorf("--addr %s: want HOST:PORT, such as 127.0.0.1:8321", e.addr)
	}
	for _, name := range e.allow {
		if name == "" || strings.ContainsAny(name, "/ \t:@") && net.ParseIP(name) == nil {
			return usage.Errorf("--allow %s: want the name or address of a host, without a port", name)
		}
	}
	ip := net.ParseIP(host)
	if host == "localhost" || ip != nil && ip.IsLoopback() || len(e.allow) > 0 {
		return nil
	}
	return usage.Errorf("--addr %s: is not this machine alone: everyone who reaches the page can run simulations here. Listen on 127.0.0.1, or name with --allow the hosts by which browsers may reach it", e.addr)
}

// host returns the host and port of the page.
func (e *exploring) host(addr net.Addr) string {
	host, port, _ := net.SplitHostPort(addr.String())
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = e.allow[0]
	}
	return net.JoinHostPort(host, port)
}

// again returns the command that serves the page at the same address again.
func (e *exploring) again(name string, addr net.Addr) string {
	words := []string{"limitgauge", "explore", format.ShellQuote(name), "--addr", addr.String()}
	return strings.Join(slices.Concat(words, inputs.Repeated("--allow", e.allow), inputs.Repeated("--set", e.sets)), " ")
}

// cause returns the part of a network error that a user can act on.
func cause(err error) error {
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Err
	}
	return err
}

// browse opens an address in the browser of the desktop.
func browse(url string) error {
	command := map[string][]string{
		"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"},
	}[runtime.GOOS]
	if command == nil {
		command = []string{"xdg-open"}
	}
	c := exec.Command(command[0], slices.Concat(command[1:], []string{url})...)
	if err := c.Start(); err != nil {
		return err
	}
	go c.Wait()
	return nil
}
