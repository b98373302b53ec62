package formats

import (
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
)

// All lists the formats. Where two fit a file equally, the earlier one is
// taken, so the more specific one comes first.
var All = []*Format{
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
	&squidFormat,
	&uwsgiFormat,
	&nginxErrorFormat,
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
	&JSON,
	&ltsvFormat,
	&logfmtFormat,
	&csvFormat,
	&Regex,
}

// Names lists auto and the names of all formats.
var Names = append([]string{"auto"}, lists.Map(All, func(f *Format) string { return f.Name })...)

// Called returns the format with a name from Names other than auto.
func Called(name string) *Format {
	return All[slices.IndexFunc(All, func(f *Format) bool { return f.Name == name })]
}
