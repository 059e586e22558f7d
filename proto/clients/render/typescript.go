package render

import (
	"fmt"
	"strconv"
	"strings"
)

// tsType returns the TypeScript type of a value.
func (c *client) tsType(s schema) (string, error) {
	if len(s.OneOf) == 2 {
		base, err := c.tsType(s.OneOf[0])
		return base + " | null", err
	}
	name, s := c.d.resolve(s)
	base, err := c.tsBase(name, s)
	if s.nullable() {
		base += " | null"
	}
	return base, err
}

// tsBase returns the type of a value that is not null.
func (c *client) tsBase(name string, s schema) (string, error) {
	switch {
	case s.record(name):
		return name, nil
	case s.Format == "date-time":
		return "Timestamp", nil
	case s.kind() == "array":
		base, err := c.tsType(*s.Items)
		if strings.ContainsAny(base, " ") && !strings.HasSuffix(base, ">") {
			base = "(" + base + ")"
		}
		return base + "[]", err
	case s.kind() == "integer":
		return "number", nil
	case s.kind() == "boolean":
		return "boolean", nil
	case s.kind() != "string":
		return "", fmt.Errorf("no type of TypeScript for %q", s.kind())
	}
	return c.tsText(s), nil
}

// tsText returns the type of a string: one of a list, or any.
func (c *client) tsText(s schema) string {
	values := s.values()
	list := c.listOf(values)
	switch {
	case len(values) == 0:
		return "string"
	case sameValues(values, c.BatchCodes):
		return "Open<KnownBatchErrorCode>"
	case list != nil && len(s.Closed) > 0 && !list.Closed:
		return "Known" + list.Name
	case list != nil:
		return list.Name
	case len(s.Closed) > 0:
		return tsUnion(values)
	default:
		return "Open<" + tsUnion(values) + ">"
	}
}

// tsParameter returns the type of a member of a filter.
func (c *client) tsParameter(p parameter) (string, error) {
	if last(p.Schema.Ref) == "RequestTime" {
		return "Time", nil
	}
	return c.tsType(p.Schema)
}

// tsUnion returns the union of the values, one per line if there are many.
func tsUnion(values []string) string {
	quoted := make([]string, len(values))
	for i, value := range values {
		quoted[i] = strconv.Quote(value)
	}
	if one := strings.Join(quoted, " | "); len(one) < 100 {
		return one
	}
	return "\n  | " + strings.Join(quoted, "\n  | ")
}

// tsDoc returns the comment of the declaration that follows, in as many lines as necessary.
func tsDoc(indent, text string) string {
	if one := indent + "/** " + text + " */"; len([]rune(one)) <= 120 {
		return one
	}
	return indent + "/**\n" + comment(indent+" *", text) + "\n" + indent + " */"
}
