package render

import (
	"fmt"
)

type dialect struct {
	c *client
	// text, integer and boolean are the types of values, when the type of a time in a filter.
	language, text, integer, boolean, when string
	// orNull admits null to a type, array makes an array of it, and open admits any other text.
	orNull, array, open func(base string) string
	union               func(values []string) string
}

func (d *dialect) typeOf(s schema) (string, error) {
	if len(s.OneOf) == 2 {
		base, err := d.typeOf(s.OneOf[0])
		return d.orNull(base), err
	}
	name, s := d.c.d.resolve(s)
	base, err := d.present(name, s)
	if s.nullable() {
		base = d.orNull(base)
	}
	return base, err
}

func (d *dialect) present(name string, s schema) (string, error) {
	switch {
	case s.record(name):
		return name, nil
	case s.Format == "date-time":
		return "Timestamp", nil
	case s.kind() == "array":
		base, err := d.typeOf(*s.Items)
		return d.array(base), err
	case s.kind() == "integer":
		return d.integer, nil
	case s.kind() == "boolean":
		return d.boolean, nil
	case s.kind() != "string":
		return "", fmt.Errorf("no type of %s for %q", d.language, s.kind())
	}
	return d.textOf(s), nil
}

func (d *dialect) textOf(s schema) string {
	values := s.values()
	list := d.c.listOf(values)
	switch {
	case len(values) == 0:
		return d.text
	case sameValues(values, d.c.BatchCodes):
		return d.open("KnownBatchErrorCode")
	case list != nil && len(s.Closed) > 0 && !list.Closed:
		return "Known" + list.Name
	case list != nil:
		return list.Name
	case len(s.Closed) > 0:
		return d.union(values)
	default:
		return d.open(d.union(values))
	}
}

func (d *dialect) parameter(p parameter) (string, error) {
	if last(p.Schema.Ref) == "RequestTime" {
		return d.when, nil
	}
	return d.typeOf(p.Schema)
}
