package web

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/nearest"
	"sellerapi.dev/pkg/operation"
)

// NotFound answers a path that does not exist, with the one that was probably
// meant, if there is one.
func NotFound(c *gin.Context) {
	meant := meantPath(c.Request)
	if meant == "" {
		Fail(c, apierr.RouteNotFound)
		return
	}
	Fail(c, apierr.RouteNotFound.Meaning(apierr.HintPath.With(meant)))
}

// maxPath bounds, in bytes, a path that is compared with those of the table.
const maxPath = 300

// meantPath returns the operation whose path differs from that of the request
// only in spelling: letter case, underscores for hyphens, a mistyped letter, a
// missing prefix, a trailing slash.
func meantPath(r *http.Request) string {
	path := r.URL.EscapedPath()
	if len(path) > maxPath {
		return ""
	}
	segments := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	for _, op := range operation.All() {
		wanted := strings.Split(strings.TrimPrefix(op.Path, "/"), "/")
		if sent := withPrefix(segments, wanted); sameWords(sent, wanted) {
			meant := fillPath(wanted, sent)
			if meant == path {
				return "" // an operation that this installation does not have
			}
			return op.Method + " " + meant
		}
	}
	return ""
}

// withPrefix puts what a path of the interface begins with before one that lacks
// it, as /orders and /v1/orders do.
func withPrefix(sent, wanted []string) []string {
	if missing := len(wanted) - len(sent); missing == 1 || missing == 2 {
		return append(append([]string{}, wanted[:missing]...), sent...)
	}
	return sent
}

// sameWords reports whether the segments of a path are nearly those of an
// operation's path. A parameter matches anything.
func sameWords(sent, wanted []string) bool {
	if len(sent) != len(wanted) {
		return false
	}
	for i, word := range wanted {
		if strings.HasPrefix(word, ":") || squeeze(sent[i]) == squeeze(word) {
			continue
		}
		if nearest.Name(sent[i], []string{word}) == "" {
			return false
		}
	}
	return true
}

func fillPath(wanted, sent []string) string {
	var path strings.Builder
	for i, word := range wanted {
		if strings.HasPrefix(word, ":") {
			word = printable(sent[i])
		}
		path.WriteString("/" + word)
	}
	return path.String()
}
