package sellerapi

import (
	"fmt"
	"net/url"
	"strings"
)

// operation is one row of the interface: its name there, and how it is reached.
type operation struct{ name, method, path string }

// address puts an identifier into the path. Those that would become another path, whatever stands between client and
// server, are refused here.
func (o operation) address(identifier string) (string, error) {
	before, rest, hasParameter := strings.Cut(o.path, "{")
	if !hasParameter {
		return o.path, nil
	}
	name, after, _ := strings.Cut(rest, "}")
	if identifier == "" || identifier == "." || identifier == ".." {
		return "", fmt.Errorf("%s: %s %q cannot exist", o.name, name, identifier)
	}
	return before + url.PathEscape(identifier) + after, nil
}
