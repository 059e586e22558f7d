package dashboards

import (
	"fmt"

	"sellerapi.dev/pkg/operation"
)

// Selectors of the series of the services that have rows of their own, of all services, and of the one that is chosen.
var (
	ofGateway = of("gateway")
	ofOrders  = of(operation.Orders)
	ofClaims  = of(operation.Claims)
)

const (
	ofAll    = `job=~"seller-open-api-.+", namespace=~"$namespace", pod=~"$pod"`
	ofChosen = `job=~"$job", ` + ofAll
)

// of selects the series of one service.
func of(service operation.Service) string {
	return fmt.Sprintf(`job="seller-open-api-%s", namespace=~"$namespace", pod=~"$pod"`, service)
}

// rate is the increase a second of a counter, summed by labels ("" for one sum).
func rate(by, metric, selector string) string {
	return fmt.Sprintf("sum by (%s) (rate(%s{%s}[$__rate_interval]))", by, metric, selector)
}

// quantile estimates a quantile of a histogram by labels.
func quantile(q float64, by, metric, selector string) string {
	if by != "" {
		by = ", " + by
	}
	return fmt.Sprintf("histogram_quantile(%g, sum by (le%s) (rate(%s_bucket{%s}[$__rate_interval])))", q, by, metric, selector)
}

// part is the share of a counter that also fits the narrower selector: 0, and not nothing, when none does.
func part(by, metric, selector, narrower string) string {
	all := rate(by, metric, selector)
	return fmt.Sprintf("(%s or 0 * %s) / %s", rate(by, metric, selector+", "+narrower), all, all)
}

// latency is a panel with the usual three quantiles of a histogram in seconds.
func latency(title, help, metric, selector string) Panel {
	return lines(title, help, "s", quantile(.5, "", metric, selector), "half").
		also(quantile(.95, "", metric, selector), "95 %").
		also(quantile(.99, "", metric, selector), "99 %")
}

// heat is the distribution of a histogram in seconds over time.
func heat(title, help, metric, selector string) Panel {
	return lines(title, help, "s", rate("le", metric+"_bucket", selector), "{{le}}").kind(Heatmap)
}

// public is the row of the public paths of one service.
func public(selector string) Row {
	const requests, duration = "http_requests_total", "http_request_duration_seconds"
	return Row{Title: "Public paths", Panels: []Panel{
		lines("Requests", "Requests a second by route. A route that falls to nothing while others do not has lost its callers or its way here.", "reqps",
			rate("route, method", requests, selector), "{{method}} {{route}}").stacked(),
		lines("Failed", "Share of answers that are our fault (5xx), by route. Should be 0.", "percentunit",
			part("route", requests, selector, `status=~"5.."`), "{{route}}").limits(.001, .01).alert("SellerOpenAPIFailureBudgetBurnsFast"),
		lines("Slowest twentieth", "Time that 95 % of the requests stay below, by route.", "s",
			quantile(.95, "route", duration, selector), "{{route}}").limits(.25, 1).alert("SellerOpenAPISlownessBudgetBurnsFast"),
		lines("Refusals", "Answers with a code of the error table, by code. Many of one code are often one client with one mistake.", "reqps",
			rate("error_code", requests, selector+`, error_code!=""`), "{{error_code}}").stacked(),
	}}
}

// calls is the row of the remote procedure calls that a service answers.
func calls(selector string) Row {
	const requests, duration = "rpc_server_requests_total", "rpc_server_duration_seconds"
	return Row{Title: "Remote procedure calls answered", Panels: []Panel{
		lines("Calls", "Calls a second by procedure.", "reqps", rate("procedure", requests, selector), "{{procedure}}").stacked(),
		lines("By code", "Calls a second by RPC code. Anything but ok and the codes of the domain is a fault.", "reqps",
			rate("code", requests, selector), "{{code}}").stacked(),
		lines("Slowest twentieth", "Time that 95 % of the calls stay below, by procedure.", "s",
			quantile(.95, "procedure", duration, selector), "{{procedure}}").limits(1, 5),
	}}
}

// statements is the row of a service's SQL.
func statements(selector string) Row {
	const duration = "db_query_duration_seconds"
	return Row{Title: "Statements", Panels: []Panel{
		lines("Most frequent", "The ten statements that run most often, by name.", "ops",
			"topk(10, "+rate("query", duration+"_count", selector)+")", "{{query}}"),
		lines("Slowest", "Time that 95 % of the runs stay below, the ten slowest statements. One that climbs has lost its index or waits for a lock.", "s",
			"topk(10, "+quantile(.95, "query", duration, selector)+")", "{{query}}").limits(.1, 1).alert("SellerOpenAPIStatementsSlow"),
		lines("Failed", "Share of statements that failed; retried serialisation failures are among them.", "percentunit",
			part("", duration+"_count", selector, `outcome="error"`), "failed").limits(.01, .05),
	}}
}
