// Command limitgauge-live is limitgauge with limiters that need large libraries: rate
// limit services of Envoy, Redis and PostgreSQL. `limitgauge live` starts it for those.
//
// It is built with the tag network, so that other builds and tests of the module do
// not compile these libraries:
//
//	go install -tags network github.com/limitgauge/limitgauge/cmd/limitgauge-live@latest
package main
