package render

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// pyWidth is the maximum length of a line of Python.
const pyWidth = 100

// pyType returns the Python type of a value, with the types of the typing module, which the oldest supported Python can
// evaluate.
func (c *client) pyType(s schema) (string, error) {
	if len(s.OneOf) == 2 {
		base, err := c.pyType(s.OneOf[0])
		return "Optional[" + base + "]", err
	}
	name, s := c.d.resolve(s)
	base, err := c.pyBaseType(name, s)
	if s.nullable() {
		base = "Optional[" + base + "]"
	}
	return base, err
}

// pyBaseType returns the type of a value that is not null.
func (c *client) pyBaseType(name string, s schema) (string, error) {
	switch {
	case s.record(name):
		return name, nil
	case s.Format == "date-time":
		return "Timestamp", nil
	case s.kind() == "array":
		base, err := c.pyType(*s.Items)
		return "List[" + base + "]", err
	case s.kind() == "integer":
		return "int", nil
	case s.kind() == "boolean":
		return "bool", nil
	case s.kind() != "string":
		return "", fmt.Errorf("no type of Python for %q", s.kind())
	}
	return c.pyText(s), nil
}

// pyText returns the type of a string: one of a list, or any.
func (c *client) pyText(s schema) string {
	values := s.values()
	list := c.listOf(values)
	switch {
	case len(values) == 0:
		return "str"
	case sameValues(values, c.BatchCodes):
		return "Union[KnownBatchErrorCode, str]"
	case list != nil && len(s.Closed) > 0 && !list.Closed:
		return "Known" + list.Name
	case list != nil:
		return list.Name
	}
	literal := strings.ReplaceAll(pyLiteral(values), "\n", "\n    ") // it is used in a class
	if len(s.Closed) > 0 {
		return literal
	}
	return "Union[" + literal + ", str]"
}

// pyParameter returns the type of a member of a filter.
func (c *client) pyParameter(p parameter) (string, error) {
	if last(p.Schema.Ref) == "RequestTime" {
		return "Union[datetime, str]", nil
	}
	return c.pyType(p.Schema)
}

// pyBase returns the name of the class with the required members. A record that also has optional members needs such a class,
// because a class of Python 3.9 is either total or not. The name is empty if the record needs none.
func pyBase(record entry[schema]) string {
	always := pyMembers(record, true)
	if len(always) == 0 || len(always) == len(record.Value.Properties) {
		return ""
	}
	return "_" + record.Name
}

// pyParents returns the bases and arguments of a record's class.
func pyParents(record entry[schema]) string {
	switch {
	case pyBase(record) != "":
		return pyBase(record) + ", total=False"
	case len(pyMembers(record, true)) == 0:
		return "TypedDict, total=False"
	default:
		return "TypedDict"
	}
}

// pyMembers returns the required members of a record, or the optional ones.
func pyMembers(record entry[schema], always bool) []entry[schema] {
	var all []entry[schema]
	for _, member := range record.Value.Properties {
		if optional(record.Value, member.Name) != always {
			all = append(all, member)
		}
	}
	return all
}

// pyOwn returns the members of a record's class: all, or those that its base class does not have.
func pyOwn(record entry[schema]) []entry[schema] {
	if pyBase(record) != "" {
		return pyMembers(record, false)
	}
	return record.Value.Properties
}

// pyLiteral returns the type of any of the values, one per line if there are many.
func pyLiteral(values []string) string {
	quoted := make([]string, len(values))
	for i, value := range values {
		quoted[i] = strconv.Quote(value)
	}
	if one := "Literal[" + strings.Join(quoted, ", ") + "]"; len(one) < pyWidth-len("KnownInquiryCategory = ") {
		return one
	}
	return "Literal[\n    " + strings.Join(quoted, ",\n    ") + ",\n]"
}

// pyBlank reduces blank lines around a class to the usual two.
func pyBlank(text []byte) []byte {
	return append(bytes.TrimSpace(manyBlanks.ReplaceAll(text, []byte("\n\n\n"))), '\n')
}

var manyBlanks = regexp.MustCompile(`\n{4,}`)

// pyDoc returns the docstring of the declaration before it, in as many lines as necessary.
func pyDoc(indent, text string) string {
	text = strings.ReplaceAll(text, `\`, `\\`)
	if one := indent + `"""` + text + `"""`; len([]rune(one)) <= pyWidth {
		return one
	}
	lines := strings.Split(wrap(indent, text, pyWidth-len(`"""`)), "\n")
	lines[0] = indent + `"""` + strings.TrimPrefix(lines[0], indent)
	return strings.Join(slices.Concat(lines, []string{indent + `"""`}), "\n")
}
