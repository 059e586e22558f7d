package oracle

import (
	"errors"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// leaves converts an error of the validator into one sentence for each place that is wrong, without repeating schema and
// value.
func leaves(err error) []string {
	var many openapi3.MultiError
	var one *openapi3.SchemaError
	switch {
	case errors.As(err, &many):
		sentences := make([]string, 0, len(many))
		for _, each := range many {
			sentences = append(sentences, leaves(each)...)
		}
		slices.Sort(sentences)
		return slices.Compact(sentences)
	case errors.As(err, &one):
		return []string{"/" + strings.Join(one.JSONPointer(), "/") + ": " + one.Reason}
	default:
		return []string{firstLine(err)}
	}
}
