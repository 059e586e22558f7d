// Package conformance tests the public contract against its own rules and against the previous release, the page that shows
// it in a browser, and (package oracle) the responses of a running system against it.
//
// It is a separate module, because OpenAPI libraries and a browser driver are needed for tests only: no service depends on
// them.
package conformance
