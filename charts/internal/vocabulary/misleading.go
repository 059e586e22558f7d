package vocabulary

import (
	"errors"
	"fmt"
	"slices"

	"github.com/prometheus/prometheus/promql/parser"

	"sellerapi.dev/pkg/telemetry"
)

// shared has the metrics for which every instance of a service reports the same value, because all read the same database.
var shared = func() map[string]bool {
	all := map[string]bool{}
	for _, metric := range telemetry.Catalogue() {
		all[metric.Name] = metric.Shared
	}
	return all
}()

// Drawn is how the lines of a panel are drawn.
type Drawn bool

// Lines are drawn separately, or stacked, which sums them.
const (
	Beside  Drawn = false
	Stacked Drawn = true
)

// Misleading returns an error for an expression whose result is meaningless: a sum over a value that every replica reports of
// the same table, which grows with the replicas, and a difference of two quantiles, which is not a quantile of anything.
func Misleading(expression string, drawn Drawn) error {
	parsed, err := parser.NewParser(parser.Options{}).ParseExpr(grafana.Replace(expression))
	if err != nil {
		return fmt.Errorf("%s: %w", expression, err)
	}
	var problems []error
	parser.Inspect(parsed, func(node parser.Node, above []parser.Node) error {
		switch n := node.(type) {
		case *parser.VectorSelector:
			if problem := replicated(n.Name, above, drawn); problem != "" {
				problems = append(problems, fmt.Errorf("%s: %s", expression, problem))
			}
		case *parser.BinaryExpr:
			if n.Op == parser.SUB && hasQuantile(n.LHS) && hasQuantile(n.RHS) {
				problems = append(problems, fmt.Errorf("%s: a difference of two quantiles", expression))
			}
		}
		return nil
	})
	return errors.Join(problems...)
}

// replicated returns what is wrong with the nodes above a series that every replica reports, or "".
func replicated(metric string, above []parser.Node, drawn Drawn) string {
	if !shared[metric] {
		return ""
	}
	var innermost *parser.AggregateExpr
	summed := bool(drawn)
	for _, node := range above {
		aggregation, ok := node.(*parser.AggregateExpr)
		if !ok {
			continue
		}
		if innermost != nil {
			summed = summed || innermost.Op == parser.SUM
		}
		innermost = aggregation
	}
	switch {
	case innermost == nil || innermost.Op != parser.MAX && innermost.Op != parser.MIN:
		return "every replica reports the same " + metric + ": take the maximum before anything else"
	case summed && byPod(innermost):
		return "summed over the pods of " + metric + ", each of which reports the same"
	}
	return ""
}

func byPod(aggregation *parser.AggregateExpr) bool {
	kept := func(label string) bool { return slices.Contains(aggregation.Grouping, label) != aggregation.Without }
	return kept("pod") || kept("instance")
}

func hasQuantile(expression parser.Expr) bool {
	found := false
	parser.Inspect(expression, func(node parser.Node, _ []parser.Node) error {
		switch n := node.(type) {
		case *parser.Call:
			found = found || n.Func.Name == "histogram_quantile"
		case *parser.AggregateExpr:
			found = found || n.Op == parser.QUANTILE
		}
		return nil
	})
	return found
}
