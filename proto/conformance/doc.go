// Package conformance holds the public contract against its own rules and against the release before, the page that shows it
// against a browser, and (package oracle) the answers of a running system against it.
//
// It is a module of its own, because OpenAPI libraries and a browser's driver are for tests: no service carries them.
package conformance
