package render

import (
	"strconv"
	"strings"
)

func (c *client) typeScript() *dialect {
	return &dialect{
		c: c, language: "TypeScript", text: "string", integer: "number", boolean: "boolean", when: "Time",
		orNull: func(base string) string { return base + " | null" },
		array: func(base string) string {
			if strings.ContainsAny(base, " ") && !strings.HasSuffix(base, ">") {
				base = "(" + base + ")"
			}
			return base + "[]"
		},
		open:  func(base string) string { return "Open<" + base + ">" },
		union: tsUnion,
	}
}

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

func tsDoc(indent, text string) string {
	if one := indent + "/** " + text + " */"; len([]rune(one)) <= 120 {
		return one
	}
	return indent + "/**\n" + comment(indent+" *", text) + "\n" + indent + " */"
}
