// Package guides contains the documentation for developers beside the contract: pages in English and Korean, the advice on
// every error code, and pictures of the state machines. en and ko have the same pages with the same commands and programs; the
// end-to-end tests run the commands from the first to the last, and each program unchanged. Programs that do the same as the
// commands above them are folded below those (details), one for each language; the site turns them into tabs. failures.json has
// a refused call for every code, as recorded by the end-to-end tests. pictures is rendered from the tables of orders and claims
// by go generate.
package guides

import "embed"

// Files are en/*.md, ko/*.md and pictures/*.svg.
//
//go:embed en/*.md ko/*.md pictures/*.svg
var Files embed.FS
