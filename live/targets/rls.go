package targets

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// RLS declares the kind of limiters that are a rate limit service of Envoy. Package
// rls opens them.
func RLS() catalog.Entry {
	return catalog.Entry{
		Name:    "rls",
		Summary: "a rate limit service of Envoy, with one or several replicas",
		Idea: "Each request is one call of ShouldRateLimit (envoy.service.ratelimit.v3), as Envoy makes it. Client i calls replica i mod n, over a " +
			"connection of its own. The overall code is the verdict; the cost is hits_addend. Calls are never repeated. An address is HOST:PORT.",
		Source: "Envoy, api/envoy/service/ratelimit/v3/rls.proto",
		Fields: []catalog.Field{
			{Name: "domain", Kind: catalog.String, Required: true, Doc: "domain of the limits in the service's configuration"},
			{Name: "descriptors", Kind: catalog.List, Elem: &catalog.Field{Kind: catalog.String},
				Doc: "the descriptors of a request, each a list of NAME=TEMPLATE, such as `generic_key=checkout, user={key}`; key={key} alone by default"},
			{Name: "timeout", Kind: catalog.Duration, Default: "20ms", Min: "1ms", Max: "1h", Doc: "deadline of a call; Envoy's default is 20 ms"},
			{Name: "on_timeout", Kind: catalog.Enum, Enum: []string{"fail", "admit", "reject"}, Default: "fail",
				Doc: "what a call without a verdict counts as, after a timeout or an error: a failure, or what the gateway does then. Envoy admits, and rejects with failure_mode_deny"},
			{Name: "tls", Kind: catalog.Bool, Default: "false", Doc: "connect with TLS, and verify the certificate"},
		},
	}
}
