package formats

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// The parts of names that tell the client's address from others. A name such as
// upstream.remote_ip has both.
var (
	serverParts = []string{"upstream", "server", "backend", "dest", "dst", "target", "local", "pod", "node", "container", "listener", "version"}
	clientParts = []string{"client", "remote", "source", "src", "forwarded", "fwd", "visitor", "viewer", "caller", "user", "peer", "real"}
	proxyParts  = []string{"host", "proxy", "gateway", "agent", "edge"}
)

// A name of one of ipWords is that of the client's address, alone or with callWords. With
// other words it may be another's.
var (
	wordShape = regexp.MustCompile(`IP|\p{Lu}?[\p{Ll}\d]+|\p{Lu}`)
	ipWords   = []string{"ip", "ips", "cip", "ipaddr", "ipaddress", "ipv4", "ipv6"}
	callWords = []string{"addr", "address", "adresse", "c", "actor", "cf", "connecting", "requester", "request", "login", "session", "http", "x", "access", "customer", "event", "sender", "v4", "v6"}
)

// The order in which fields are taken as the key. Fields that most records lack are
// none where there are others.
const (
	knownAddress = iota // a well-known name, and addresses
	sameAddress         // a well-known name, and one address in all records, such as a proxy's
	knownList           // X-Forwarded-For, and addresses
	clientAddress
	anyAddress
	knownHost // a well-known name of an address, but other values
	knownCaller
	rare // is added to the others
)

// keys returns the fields that could be the key, first the one to take. The values
// of the sample decide: a field of addresses is the client, and a field with one
// value in all records, or with dashes alone, is no key.
func (k known) keys(o *Asked) (names []string) {
	ranks := map[string]int{}
	add := func(name string, rank int, ok bool) {
		if ok && name != o.Client && !slices.Contains(names, name) {
			names, ranks[name] = append(names, name), rank+rare*k.rarity(name)
		}
	}
	for rank, list := range [][]string{knownAddress: addressNames, knownList: forwardedNames, knownCaller: callerNames} {
		for _, name := range list {
			if own, ok := k.find(name); ok && k.filled(own) {
				addresses := addressed(k.values(own))
				switch {
				case rank == knownList && k.constant(own):
					add(own, knownHost, addresses) // such as a proxy's own
				case rank == knownCaller:
					add(own, rank, name == "key" || !k.constant(own))
				case rank == knownAddress && addresses && k.variety(own) < 2:
					add(own, sameAddress, true)
				case addresses || rank == knownList:
					add(own, rank, addresses)
				default:
					add(own, knownHost, !k.strict)
				}
			}
		}
	}
	callers := slices.Clone(names)
	if slices.ContainsFunc(names, func(name string) bool { return ranks[name]%rare < knownCaller }) {
		callers = nil // of a log that has the client
	}
	for _, name := range k.names {
		rank, ok := k.rankOfAddress(name, callers)
		add(name, rank, ok)
	}
	if slices.ContainsFunc(names, func(name string) bool { return ranks[name] < rare }) {
		names = lists.Where(names, func(name string) bool { return ranks[name] < rare })
	}
	slices.SortStableFunc(names, func(a, b string) int {
		if ranks[a] == anyAddress && ranks[b] == anyAddress {
			return cmp.Compare(k.variety(b), k.variety(a)) // clients are more than servers
		}
		return cmp.Compare(ranks[a], ranks[b])
	})
	return names
}

// rankOfAddress returns the rank of a field without a well-known name beside fields of
// callers. ok is false if it holds no addresses, or those of a server.
func (k known) rankOfAddress(name string, callers []string) (rank int, ok bool) {
	lower := strings.ReplaceAll(strings.ToLower(name), "resource", "")
	has := func(parts []string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(lower, p) })
	}
	if has(serverParts) || !addressed(k.values(name)) {
		return 0, false
	}
	if has(clientParts) || lower == "address" || name == k.host || slices.ContainsFunc(addressNames, func(known string) bool { return bare(known) == bare(lower) }) {
		return clientAddress, true
	}
	present, _ := k.presence(name)
	different := k.variety(name)
	rank = anyAddress
	if !saysIP(name) && slices.ContainsFunc(callers, func(caller string) bool { return k.variety(caller) > 2*different }) {
		rank = knownCaller // a fleet has fewer servers than callers
	}
	proxy := has(proxyParts) && !(lower == "host" && len(callers) > 0)
	return rank, !proxy && present > 1 && different > 1
}

// saysIP reports whether a name has one of ipWords and but for callWords no other.
func saysIP(name string) bool {
	if strings.ToUpper(name) == name {
		name = strings.ToLower(name)
	}
	words := lists.Map(wordShape.FindAllString(name, -1), strings.ToLower)
	others := lists.Where(words, func(word string) bool { return !slices.Contains(ipWords, word) })
	return len(others) < len(words) && !slices.ContainsFunc(others, func(word string) bool { return !slices.Contains(callWords, word) })
}

// bare returns a name without the characters between its words.
func bare(name string) string { return strings.NewReplacer(" ", "", "-", "", "_", "").Replace(name) }

// presence counts the records that have a value of a field.
func (k known) presence(own string) (present, all int) {
	values := k.values(own)
	return lists.Count(values, Present), len(values)
}

// constant reports whether all records of several have the same value, or dashes.
func (k known) constant(own string) bool {
	values := lists.Where(k.values(own), Present)
	dashes := !slices.ContainsFunc(values, func(v []byte) bool { return len(bytes.Trim(v, "-")) > 0 })
	return dashes || len(values) > 1 && !slices.ContainsFunc(values, func(v []byte) bool { return !bytes.Equal(v, values[0]) })
}

// variety counts the different values of a field.
func (k known) variety(own string) int {
	different := map[string]bool{}
	for _, v := range k.values(own) {
		if Present(v) {
			different[string(address.Key(v))] = true
		}
	}
	return len(different)
}

// addressed reports whether nearly all values that are present are addresses, or
// lists of them.
func addressed(values [][]byte) bool {
	values = lists.Where(values, Present)
	fits := lists.Count(values, func(v []byte) bool { return hasIP(forwarded.Clean(v)) })
	return len(values) > 0 && 10*fits >= 9*len(values)
}

// column returns the column of a field that no format declares. Its name or its
// values say whether it holds addresses, or lists of them.
func (k known) column(name string) column {
	c := namedColumn(name)
	if values := k.values(name); addressed(values) {
		c.kind = max(c.kind, address)
		if slices.ContainsFunc(values, func(v []byte) bool { return bytes.IndexByte(v, ',') >= 0 }) {
			c.kind = forwarded
		}
	}
	return c
}

// keyCandidate returns a field that could be the key, with the flag that takes it.
func keyCandidate(name string) Candidate {
	return Candidate{"key", name, "--per " + format.ShellQuote(name)}
}

// IsForwarded reports whether a field has a name of X-Forwarded-For, which holds a
// list of addresses. The first one is taken, as the client sent it.
func IsForwarded(name string) bool {
	last := strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	last = strings.TrimSuffix(strings.TrimPrefix(last, "cs("), ")")
	last = strings.TrimPrefix(last, "request_") // of Traefik
	return slices.Contains(forwardedNames, last)
}

// lists returns the fields with names of X-Forwarded-For that have addresses.
func (k known) lists() (found []Candidate) {
	for _, name := range k.names {
		if IsForwarded(name) && addressed(k.values(name)) {
			found = append(found, keyCandidate(name))
		}
	}
	return found
}
