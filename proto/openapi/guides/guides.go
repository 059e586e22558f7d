// Package guides is what developers read beside the contract: pages in English and Korean, the advice on every error code, and
// pictures of the state machines. en and ko have the same pages; their shell commands are the same, and the end-to-end tests run
// them from the first to the last. pictures is rendered from the tables of orders and claims by go generate.
package guides

import "embed"

// Files are en/*.md, ko/*.md and pictures/*.svg.
//
//go:embed en/*.md ko/*.md pictures/*.svg
var Files embed.FS
