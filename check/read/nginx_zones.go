package read

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// zoneFindings finds what is to know about a zone and its key.
func (x *nginx) zoneFindings(z *zone) {
	if z.wrong {
		return
	}
	if counts, _ := x.keyOf(z.key); !z.used {
		x.find(check.Unused, z.name, z.Position, "no limit_req of these files names it (%s for %s)", z.rate, counts)
	}
	if z.minute && z.count*1000%60 != 0 {
		th := z.thousandths()
		x.find(check.Rounded, z.name, z.Position, "%s is counted as %d thousandths a second: %g a minute", z.rate, th, float64(th*60)/1000)
	}
	list, err := x.outcomes(z.key, z.Position, 0)
	if err != nil {
		u := err.(*unclear)
		if !u.defined {
			x.find(check.Undefined, z.name, z.Position, "its key names $%s, which these files do not define", u.variable)
			return
		}
		x.name("key $"+u.variable+" of zone "+z.name, u.why, x.vars[u.variable].Position)
		return
	}
	var empty []string
	binds, loose := false, ""
	for _, o := range list {
		loose = cmp.Or(loose, o.loose)
		once := slices.ContainsFunc(o.pieces, func(p piece) bool { return slices.Contains(unique, p.variable) })
		switch {
		case len(o.pieces) == 0:
			empty = append(empty, o.when)
			continue
		case !once:
			binds = true
		}
		for _, p := range o.pieces {
			if why := chosen(p.variable); why != "" && loose == "" {
				loose = why
			} else if strings.HasSuffix(p.variable, "remote_addr") && x.anyone != nil && loose == "" {
				loose = fmt.Sprintf("the address of a client, as %s at %s believes anyone", x.anyone.name(), x.anyone.From(z.Position))
			}
		}
		if !slices.ContainsFunc(o.pieces, func(p piece) bool { return p.filled || !maybeEmpty(p.variable) || p.text != "" }) {
			empty = append(empty, "without "+strings.Join(lists.Map(o.pieces, func(p piece) string { return described(p.variable) }), " and "))
		}
	}
	empty = lists.Distinct(empty)
	switch {
	case !binds && len(empty) == len(list):
		x.find(check.NeverBinds, z.name, z.Position, "its key %s is always empty, and requests without a key are not limited", cmp.Or(z.key, `""`))
	case !binds:
		x.find(check.NeverBinds, z.name, z.Position, "its key %s is another one for each request", z.key)
	case z.key == "$server_name" || z.key == "${server_name}":
		x.serverNames(z)
	case len(empty) > 0:
		shown := empty[:min(len(empty), 4)]
		if more := len(empty) - len(shown); more > 0 {
			shown = append(slices.Clone(shown), fmt.Sprintf("%d more", more))
		}
		x.find(check.Unkeyed, z.name, z.Position, "not limited, as they have no key: requests %s", strings.Join(shown, ", "))
	}
	if loose != "" {
		x.find(check.LooseKey, z.name, z.Position, "the client chooses the key: %s", loose)
	}
}

// serverNames finds limits by $server_name in servers without a name.
func (x *nginx) serverNames(z *zone) {
	var without, all int
	var first *level
	used := map[*level]bool{}
	for _, m := range x.limit {
		used[m.level.top()] = used[m.level.top()] || m.zone == z.name
	}
	for _, s := range x.http.children {
		if !used[s] && !used[x.http] || s.part() {
			continue
		}
		if all++; len(s.names) == 0 || s.names[0] == "" {
			if without++; first == nil {
				first = s
			}
		}
	}
	switch {
	case without == 0:
	case without == all:
		x.find(check.NeverBinds, z.name, z.Position, "its key $server_name is empty: %s has no server_name, and requests without a key are not limited", first.where(z.Position))
	default:
		x.find(check.Unkeyed, z.name, z.Position, "$server_name is empty in %s, whose requests are not limited", first.where(z.Position))
	}
}
