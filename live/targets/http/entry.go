// Package http asks limiters that are HTTP servers: a gateway that answers 429, or a
// service whose answer is a field of a JSON body.
//
// The package makes no promise: it can change at any time.
package http

import (
	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Kind returns the kind of limiters that are HTTP servers.
func Kind() targets.Kind { return targets.Of(entry(), read, open) }

func entry() catalog.Entry {
	status := &catalog.Field{Kind: catalog.Int, Min: "200", Max: "599"}
	return catalog.Entry{
		Name:    "http",
		Summary: "an HTTP server or gateway",
		Idea: "Each request is one HTTP request. It is never repeated, not even when its connection breaks or the server refuses an HTTP/2 stream, and redirects are not followed. " +
			"The addresses are URLs and templates: client i uses URL i modulo their number, on connections of its own. " +
			"Status 429, and 503 with Retry-After, reject a request, and 200 to 299 admit it; any other status is a failure. " +
			"Retry-After, RateLimit and X-RateLimit headers are read; without Retry-After, a refusal is taken to promise the time after which its limit is reset. Credentials come from `headers_file` or from LIMITGAUGE_HTTP_AUTHORIZATION, " +
			"the value of the header Authorization.",
		Source: "RFC 9110 (Retry-After); draft-ietf-httpapi-ratelimit-headers (RateLimit)",
		Fields: []catalog.Field{
			{Name: "method", Kind: catalog.Enum, Enum: []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}, Default: "GET", Doc: "method of the requests"},
			{Name: "headers", Kind: catalog.List, Elem: &catalog.Field{Kind: catalog.String}, Doc: "headers such as `X-Api-Key: {key}`; the values are templates"},
			{Name: "headers_file", Kind: catalog.String, Doc: "file of further headers, one `Name: value` a line, which appear in no result"},
			{Name: "body", Kind: catalog.String, Doc: "template of the body; in a body that begins with { or [, the words are escaped as in JSON strings"},
			{Name: "rejected", Kind: catalog.List, Elem: status, Doc: "statuses that reject a request, instead of 429, and 503 with Retry-After"},
			{Name: "admitted", Kind: catalog.List, Elem: status, Doc: "statuses that admit a request, instead of 200 to 299"},
			{Name: "field", Kind: catalog.String, Doc: "field of the JSON body that holds the verdict of a response whose status admits, such as `responses[0].status`"},
			{Name: "field_admits", Kind: catalog.List, Elem: &catalog.Field{Kind: catalog.String}, Doc: "values of `field` that admit a request; any other value rejects it"},
			{Name: "http", Kind: catalog.Enum, Enum: []string{"1.1", "2"}, Default: "1.1", Doc: "version of HTTP. The requests of a client share connections with 2, which a server at http:// is taken to speak"},
			{Name: "ca", Kind: catalog.String, Doc: "file of certificates in PEM format that are trusted in place of those of the system"},
			{Name: "insecure", Kind: catalog.Bool, Default: "false", Doc: "do not verify the certificate of the server"},
			{Name: "timeout", Kind: catalog.Duration, Default: "1s", Min: "1ms", Max: "1h", Doc: "time after which a request is given up; the server may still decide it"},
		},
	}
}
