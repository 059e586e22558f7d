package render

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const pyWidth = 100

// python returns the dialect of Python, with the types of the typing module, which the oldest supported Python can evaluate.
func (c *client) python() *dialect {
	return &dialect{
		c: c, language: "Python", text: "str", integer: "int", boolean: "bool", when: "Union[datetime, str]",
		orNull: func(base string) string { return "Optional[" + base + "]" },
		array:  func(base string) string { return "List[" + base + "]" },
		open:   func(base string) string { return "Union[" + base + ", str]" },
		union:  func(values []string) string { return strings.ReplaceAll(pyLiteral(values), "\n", "\n    ") }, // in a class
	}
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

func pyDoc(indent, text string) string {
	text = strings.ReplaceAll(text, `\`, `\\`)
	if one := indent + `"""` + text + `"""`; len([]rune(one)) <= pyWidth {
		return one
	}
	lines := strings.Split(wrap(indent, text, pyWidth-len(`"""`)), "\n")
	lines[0] = indent + `"""` + strings.TrimPrefix(lines[0], indent)
	return strings.Join(slices.Concat(lines, []string{indent + `"""`}), "\n")
}
