package telemetry_test

import (
	"fmt"
	"strconv"
	"strings"

	"sellerapi.dev/pkg/telemetry"
)

func document() string {
	var out strings.Builder
	out.WriteString("# Metrics\n\nRendered from catalogue.go by `go generate`; do not edit.\n")
	for _, group := range telemetry.Groups() {
		fmt.Fprintf(&out, "\n## %s\n\n| Name | Type | Labels | Meaning |\n|---|---|---|---|\n", group.Title)
		for _, m := range group.Metrics {
			fmt.Fprintf(&out, "| `%s` | %s | %s | %s |\n", m.Name, m.Type, labelList(m.Labels), m.Help)
		}
		writeBuckets(&out, group)
	}
	return out.String()
}

func labelList(labels []string) string {
	if len(labels) == 0 {
		return ""
	}
	return "`" + strings.Join(labels, "`, `") + "`"
}

func writeBuckets(out *strings.Builder, group telemetry.Group) {
	for _, m := range group.Metrics {
		if m.Type != telemetry.TypeHistogram {
			continue
		}
		bounds := make([]string, 0, len(m.Buckets))
		for _, bound := range m.Buckets {
			bounds = append(bounds, strconv.FormatFloat(bound, 'g', -1, 64))
		}
		fmt.Fprintf(out, "\nBuckets of `%s`: %s.\n", m.Name, strings.Join(bounds, ", "))
	}
}
