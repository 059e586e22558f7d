package route

import (
	"fmt"
	"strings"
)

// Markdown renders the table for the README.
func Markdown() string {
	var out strings.Builder
	out.WriteString("| Operation | Method | Path | Scope | Counted as | Service | Body | Time-out |\n")
	out.WriteString("|---|---|---|---|---|---|---|---|\n")
	for _, op := range table {
		fmt.Fprintf(&out, "| `%s` | %s | `%s` | `%s` | %s | %s | %s | %s |\n",
			op.Name, op.Method, braced(op.Path), op.Scope, op.Class, op.Upstream, megabytes(op.MaxBodyBytes), op.Timeout)
	}
	return out.String()
}

// braced writes parameters as the specification does: {order_no} for :order_no.
func braced(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if name, ok := strings.CutPrefix(segment, ":"); ok {
			segments[i] = "{" + name + "}"
		}
	}
	return strings.Join(segments, "/")
}

func megabytes(bytes int64) string {
	if bytes == 0 {
		return "none"
	}
	return fmt.Sprintf("%d MiB", bytes>>20)
}
