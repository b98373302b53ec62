// Command limitgauge-live is limitgauge with what needs large libraries: limiters that are
// rate limit services of Envoy, scripts in Redis or queries of PostgreSQL, and workers on
// other machines. `limitgauge live`, `limitgauge worker` and --on start it for those.
//
// It is built with the tag network, so that other builds and tests of the module do
// not compile these libraries:
//
//	go install -tags network github.com/limitgauge/limitgauge/cmd/limitgauge-live@latest
package main
