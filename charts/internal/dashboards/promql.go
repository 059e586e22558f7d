package dashboards

import (
	"fmt"

	"sellerapi.dev/pkg/operation"
)

// Selectors of the series of the services that have their own rows, of all services, and of the selected service.
var (
	ofGateway = of("gateway")
	ofOrders  = of(operation.Orders)
	ofClaims  = of(operation.Claims)
	ofConsole = of("console")
)

const (
	ofAll    = `job=~"seller-open-api-.+", namespace=~"$namespace", pod=~"$pod"`
	ofChosen = `job=~"$job", ` + ofAll
)

func of(service operation.Service) string {
	return fmt.Sprintf(`job="seller-open-api-%s", namespace=~"$namespace", pod=~"$pod"`, service)
}

// rate returns the expression for the increase per second of a counter, summed by labels ("" for one sum).
func rate(by, metric, selector string) string {
	return fmt.Sprintf("sum by (%s) (rate(%s{%s}[$__rate_interval]))", by, metric, selector)
}

func quantile(q float64, by, metric, selector string) string {
	if by != "" {
		by = ", " + by
	}
	return fmt.Sprintf("histogram_quantile(%g, sum by (le%s) (rate(%s_bucket{%s}[$__rate_interval])))", q, by, metric, selector)
}

// part returns the expression for the share of a counter's increase that also matches the narrower selector. It is 0, not absent,
// when nothing matches.
func part(by, metric, selector, narrower string) string {
	all := rate(by, metric, selector)
	return fmt.Sprintf("(%s or 0 * %s) / %s", rate(by, metric, selector+", "+narrower), all, all)
}

func latency(title, help, metric, selector string) Panel {
	return lines(title, help, "s", quantile(.5, "", metric, selector), "median").
		also(quantile(.95, "", metric, selector), "95 %").
		also(quantile(.99, "", metric, selector), "99 %")
}

func heat(title, help, metric, selector string) Panel {
	return lines(title, help, "s", rate("le", metric+"_bucket", selector), "{{le}}").kind(Heatmap)
}

func public(selector string) Row {
	const requests, duration = "http_requests_total", "http_request_duration_seconds"
	return Row{Title: "Public paths", Panels: []Panel{
		lines("Requests", "Requests per second by route. If one route alone drops to 0, its callers have stopped or cannot reach it.",
			"reqps",
			rate("route, method", requests, selector), "{{method}} {{route}}").stacked(),
		lines("Failed", "Share of responses with 5xx, by route. Should be 0.", "percentunit",
			part("route", requests, selector, `status=~"5.."`), "{{route}}").limits(.001,
			.01).alert("SellerOpenAPIFailureBudgetBurnsFast"),
		lines("95th percentile", "95th percentile of the duration of requests, by route.", "s",
			quantile(.95, "route", duration, selector), "{{route}}").limits(.25, 1).alert("SellerOpenAPISlownessBudgetBurnsFast"),
		lines("Refusals", "Responses with a code of the error table, by code. A high rate of one code is often one client with one "+
			"mistake.", "reqps",
			rate("error_code", requests, selector+`, error_code!=""`), "{{error_code}}").stacked(),
	}}
}

func calls(selector string) Row {
	return procedures("Remote procedure calls received", "rpc_server", selector)
}

// procedures returns the row of the calls that a service receives (rpc_server) or makes (rpc_client).
func procedures(title, side, selector string) Row {
	requests, duration := side+"_requests_total", side+"_duration_seconds"
	return Row{Title: title, Panels: []Panel{
		lines("Calls", "Calls per second by procedure.", "reqps", rate("procedure", requests, selector), "{{procedure}}").stacked(),
		lines("By code", "Calls per second by RPC code. Any code other than ok and the domain's codes is a fault.", "reqps",
			rate("code", requests, selector), "{{code}}").stacked(),
		lines("95th percentile", "95th percentile of the duration of calls, by procedure.", "s",
			quantile(.95, "procedure", duration, selector), "{{procedure}}").limits(1, 5),
	}}
}

func statements(selector string) Row {
	const duration = "db_query_duration_seconds"
	return Row{Title: "Statements", Panels: []Panel{
		lines("Most frequent", "Executions per second of the ten most frequent statements, by name.", "ops",
			"topk(10, "+rate("query", duration+"_count", selector)+")", "{{query}}"),
		lines("Slowest", "95th percentile of the duration, the ten slowest statements. One that rises does not use its index any "+
			"more or waits for a lock.", "s",
			"topk(10, "+quantile(.95, "query", duration, selector)+")", "{{query}}").limits(.1, 1).alert("SellerOpenAPIStatementsSlow"),
		lines("Failed", "Share of statements that failed, including retried serialisation failures.", "percentunit",
			part("", duration+"_count", selector, `outcome="error"`), "failed").limits(.01, .05),
	}}
}
