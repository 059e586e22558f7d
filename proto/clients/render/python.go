package render

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// pyWidth is how long a line of Python may be.
const pyWidth = 100

// pyType is the type of a value. Types are the ones of typing, which the oldest Python that is supported evaluates.
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

// pyBaseType is the type of what is there.
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

// pyText is the type of a text: one of a list, or any.
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
	literal := strings.ReplaceAll(pyLiteral(values), "\n", "\n    ") // it stands in a class
	if len(s.Closed) > 0 {
		return literal
	}
	return "Union[" + literal + ", str]"
}

// pyParameter is the type of a member of a filter.
func (c *client) pyParameter(p parameter) (string, error) {
	if last(p.Schema.Ref) == "RequestTime" {
		return "Union[datetime, str]", nil
	}
	return c.pyType(p.Schema)
}

// pyBase names the class with the members that are always there: it is needed where a record has others too, because a class of
// Python 3.9 is either total or not. Empty when the record needs none.
func pyBase(record entry[schema]) string {
	always := pyMembers(record, true)
	if len(always) == 0 || len(always) == len(record.Value.Properties) {
		return ""
	}
	return "_" + record.Name
}

// pyParents are what follows the name of a record's class.
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

// pyMembers are the members of a record that are always there, or those that can be absent.
func pyMembers(record entry[schema], always bool) []entry[schema] {
	var all []entry[schema]
	for _, member := range record.Value.Properties {
		if optional(record.Value, member.Name) != always {
			all = append(all, member)
		}
	}
	return all
}

// pyOwn are the members of a record's class: all, or those that its base class does not have.
func pyOwn(record entry[schema]) []entry[schema] {
	if pyBase(record) != "" {
		return pyMembers(record, false)
	}
	return record.Value.Properties
}

// pyLiteral is any of the values, on lines of their own when they are many.
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

// pyBlank leaves the two blank lines around a class that are usual.
func pyBlank(text []byte) []byte {
	return append(bytes.TrimSpace(manyBlanks.ReplaceAll(text, []byte("\n\n\n"))), '\n')
}

var manyBlanks = regexp.MustCompile(`\n{4,}`)

// pyDoc is the documentation of what stands before it, in as many lines as it takes.
func pyDoc(indent, text string) string {
	text = strings.ReplaceAll(text, `\`, `\\`)
	if one := indent + `"""` + text + `"""`; len([]rune(one)) <= pyWidth {
		return one
	}
	lines := strings.Split(wrap(indent, text, pyWidth-len(`"""`)), "\n")
	lines[0] = indent + `"""` + strings.TrimPrefix(lines[0], indent)
	return strings.Join(slices.Concat(lines, []string{indent + `"""`}), "\n")
}
