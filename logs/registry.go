package logs

import "slices"

// registry lists the formats. Where two fit a file equally, the earlier one is
// taken, so the more specific one comes first.
var registry = []*format{
	&albFormat,
	&nlbFormat,
	&elbFormat,
	&s3Format,
	&cloudFrontFormat,
	&w3cFormat,
	&haproxyHTTPFormat,
	&haproxyTCPFormat,
	&envoyTextFormat,
	&npmFormat,
	&combinedFormat,
	&commonFormat,
	&cloudTrailFormat,
	&apiGatewayFormat,
	&googleLBFormat,
	&frontDoorFormat,
	&appGatewayFormat,
	&cloudflareFormat,
	&nginxJSONFormat,
	&traefikFormat,
	&caddyFormat,
	&istioFormat,
	&envoyJSONFormat,
	&jsonFormat,
	&csvFormat,
	&regexFormat,
}

// Formats lists auto and the names of all formats.

// formatNames returns auto and the names of the formats.
func formatNames() []string {
	names := []string{"auto"}
	for _, f := range registry {
		names = append(names, f.name)
	}
	return names
}

// formatCalled returns the format with a name from Formats other than auto.
func formatCalled(name string) *format {
	return registry[slices.IndexFunc(registry, func(f *format) bool { return f.name == name })]
}
