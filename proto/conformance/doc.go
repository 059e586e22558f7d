// Package conformance tests the public contract against its own rules and against the previous release, the page that shows
// it in a browser, and (package oracle) the responses of a running system against it.
//
// Only tests import it, so no service contains its OpenAPI libraries or the browser driver.
package conformance
