package render

import (
	"fmt"
	"slices"
)

func (c *client) goType(record string, of schema, member entry[schema]) (string, error) {
	where := record + "." + member.Name
	base, nullable, err := c.goBase(where, member.Value)
	if err != nil {
		return "", err
	}
	plain := slices.Contains(zeroIsAbsent, where) || slices.Contains(zeroIsAbsent, record) && !nullable && base != "time.Time"
	absent := optional(of, member.Name) && base[0] != '['
	if (nullable || absent) && !plain {
		return "*" + base, nil
	}
	return base, nil
}

func (c *client) goBase(where string, s schema) (string, bool, error) {
	if len(s.OneOf) == 2 {
		base, _, err := c.goBase(where, s.OneOf[0])
		return base, true, err
	}
	name, s := c.d.resolve(s)
	if given, known := goTypes[where]; known {
		return given, s.nullable(), nil
	}
	switch {
	case s.record(name):
		return name, false, nil
	case s.Format == "date-time":
		return "time.Time", s.nullable(), nil
	case s.kind() == "array":
		base, _, err := c.goBase(where, *s.Items)
		return "[]" + base, s.nullable(), err
	case s.kind() == "integer":
		return "int64", s.nullable(), nil
	case s.kind() == "boolean":
		return "bool", s.nullable(), nil
	case s.kind() != "string":
		return "", false, fmt.Errorf("%s: no type of Go for %q", where, s.kind())
	}
	if list := c.listOf(s.values()); list != nil {
		return list.Name, s.nullable(), nil
	}
	return "string", s.nullable(), nil
}

// goParameter returns the type of a field of a filter, whose zero value selects everything.
func (c *client) goParameter(p parameter) (string, error) {
	if last(p.Schema.Ref) == "RequestTime" {
		return "time.Time", nil
	}
	base, _, err := c.goBase(p.Name, p.Schema)
	if base == "int64" {
		base = "int"
	}
	return base, err
}

func goTag(of schema, member string) string {
	if optional(of, member) {
		return "`json:\"" + member + ",omitempty\"`"
	}
	return "`json:\"" + member + "\"`"
}
