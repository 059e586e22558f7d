// Package guides is what developers read beside the contract: pages in English and Korean, the advice on every error code, and
// pictures of the state machines. en and ko have the same pages; their commands and programs are the same, and the end-to-end tests run
// the commands from the first to the last, and each program as it stands. Programs that do what the commands above them do are folded
// behind them (details), each language once; the site makes tabs of them. failures.json has a refused call for every code, as the
// end-to-end tests recorded it. pictures is rendered from the tables of orders and claims by go generate.
package guides

import "embed"

// Files are en/*.md, ko/*.md and pictures/*.svg.
//
//go:embed en/*.md ko/*.md pictures/*.svg
var Files embed.FS
