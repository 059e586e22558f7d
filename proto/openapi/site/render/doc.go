// Package render makes the pages of the site from the guides, the recorded refusals, the error table and the contract, with the
// published settings. pages beside package site is its work: `make generate` writes it.
package render

//go:generate go test -run TestFiles_renderedFromSources -update .
