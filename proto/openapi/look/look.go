// Package look has the style sheet that the documentation and the partner console share, so that they look like one product: the
// colours of both themes, the frame, text, code and tables. Each appends its own rules and serves both as one file.
package look

import (
	_ "embed" // the style sheet
	"slices"
)

//go:embed look.css
var style []byte

// With returns the shared style sheet with the given rules after it.
func With(rules []byte) []byte { return slices.Concat(style, rules) }
