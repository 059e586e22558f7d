package vocabulary

import (
	"errors"
	"fmt"

	"github.com/prometheus/prometheus/promql/parser"

	"sellerapi.dev/pkg/telemetry"
)

// shared are the metrics of which every instance of a service reports the same rows of the database.
var shared = func() map[string]bool {
	all := map[string]bool{
		telemetry.SagaOldestPending.Name: true, telemetry.DBTableBytes.Name: true, telemetry.DBTableRows.Name: true,
	}
	for _, metric := range []telemetry.Metric{
		telemetry.OrdersOpen, telemetry.ClaimsOpen, telemetry.RefundsOpen, telemetry.RefundUnanswered, telemetry.DeadlineOverdue,
		telemetry.InboxRows,
	} {
		all[metric.Name] = true
	}
	return all
}()

// Misleading reports an expression that draws a number which is none: a sum over what every replica reports of the same table, which
// grows with the replicas, and a difference of two quantiles, which is the quantile of nothing.
func Misleading(expression string) error {
	parsed, err := parser.NewParser(parser.Options{}).ParseExpr(grafana.Replace(expression))
	if err != nil {
		return fmt.Errorf("%s: %w", expression, err)
	}
	var problems []error
	parser.Inspect(parsed, func(node parser.Node, above []parser.Node) error {
		switch n := node.(type) {
		case *parser.VectorSelector:
			if shared[n.Name] && !singled(above) {
				problems = append(problems, fmt.Errorf("%s: every replica reports the same %s: take the maximum before anything else", expression, n.Name))
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

// singled reports whether the innermost aggregation above a series picks one of several.
func singled(above []parser.Node) bool {
	for n := len(above) - 1; n >= 0; n-- {
		if aggregation, ok := above[n].(*parser.AggregateExpr); ok {
			return aggregation.Op == parser.MAX || aggregation.Op == parser.MIN
		}
	}
	return false
}

// hasQuantile reports whether an expression estimates a quantile.
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
