package operation_test

import (
	"fmt"
	"strings"

	"sellerapi.dev/pkg/operation"
)

func markdown() string {
	var out strings.Builder
	out.WriteString("# Operations\n\nRendered from table.go by `make generate`; edit the table there.\n\n")
	out.WriteString("| Operation | Method | Path | Scope | Counted as | Rows | Service | Body | Entries | Idempotency-Key ")
	out.WriteString("| Time-out |\n")
	out.WriteString("|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, op := range operation.All() {
		fmt.Fprintf(&out, "| `%s` | %s | `%s` | %s | %s | %s | %s | %s | %s | %s | %s |\n",
			op.Name, op.Method, braced(op.Path), scope(op), op.Class, op.Charge, op.Service, megabytes(op.MaxBodyBytes),
			entries(op.MaxEntries), idempotencyKey(op), op.Timeout)
	}
	return out.String()
}

// braced returns a path with parameters as the specification writes them:
// {order_no} for :order_no.
func braced(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if name, ok := strings.CutPrefix(segment, ":"); ok {
			segments[i] = "{" + name + "}"
		}
	}
	return strings.Join(segments, "/")
}

func scope(op operation.Operation) string {
	if op.Scope == "" {
		return "any"
	}
	return "`" + string(op.Scope) + "`"
}

func megabytes(bytes int64) string {
	if bytes == 0 {
		return "none"
	}
	return fmt.Sprintf("%d MiB", bytes>>20)
}

func entries(most int) string {
	if most == 0 {
		return ""
	}
	return fmt.Sprintf("at most %d", most)
}

func idempotencyKey(op operation.Operation) string {
	switch {
	case op.Class == operation.Read:
		return ""
	case op.Unkeyed:
		return "ignored"
	default:
		return "required"
	}
}
