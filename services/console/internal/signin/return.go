package signin

import (
	"net/url"
	"path"
	"strings"
)

// maxReturn limits the path that a session remembers.
const maxReturn = 2000

// ReturnPath returns the path of the console to go to after signing in, "/" for anything that could lead elsewhere: a browser
// reads //host and /\host as an address of another host, and drops control characters before it looks.
func ReturnPath(text string) string {
	u, err := url.Parse(text)
	switch {
	case len(text) > maxReturn, err != nil, u.Scheme != "", u.Host != "", u.User != nil, u.Opaque != "", u.Fragment != "":
		return "/"
	case !strings.HasPrefix(text, "/"), strings.ContainsAny(text, "\\\t\r\n"), path.Clean(u.Path) != u.Path:
		return "/"
	default:
		return u.RequestURI()
	}
}
