package sellerapi

import (
	"fmt"
	"net/url"
	"strings"
)

type operation struct{ name, method, path string }

// address puts an identifier into the path. It refuses identifiers that could become another path in the client, a
// proxy or the server.
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
