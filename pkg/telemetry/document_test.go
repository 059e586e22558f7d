package telemetry_test

import (
	"fmt"
	"strings"

	"sellerapi.dev/pkg/telemetry"
)

func document() string {
	var out strings.Builder
	out.WriteString("# Metrics\n\nRendered from catalogue.go by `go generate`; do not edit. " +
		"The catalogue also has the values of labels and the bounds of buckets.\n")
	for _, group := range telemetry.Groups() {
		fmt.Fprintf(&out, "\n## %s\n\n| Name | Type | Labels | Meaning |\n|---|---|---|---|\n", group.Title)
		for _, m := range group.Metrics {
			meaning, _, _ := strings.Cut(m.Help, ". ")
			fmt.Fprintf(&out, "| `%s` | %s | %s | %s |\n", m.Name, m.Type, labelList(m.Labels), strings.TrimSuffix(meaning, "."))
		}
	}
	return out.String()
}

func labelList(labels []string) string {
	if len(labels) == 0 {
		return ""
	}
	return "`" + strings.Join(labels, "`, `") + "`"
}
