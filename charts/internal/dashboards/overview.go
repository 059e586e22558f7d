package dashboards

import "fmt"

func overview() Dashboard {
	return Dashboard{
		Name: "overview", Title: "Seller Open API: overview",
		Description: "Are the service level objectives met? First the service levels, then traffic, then the health of the " +
			"services.",
		Rows: []Row{serviceLevels(), budgets(), remaining(), traffic(), health(), pods(), processes(), behind()},
	}
}

func recorded(rule, class string) string {
	return fmt.Sprintf(`seller_open_api:%s{class=%q, namespace=~"$namespace"}`, rule, class)
}

func serviceLevels() Row {
	available := func(title, class string) Panel {
		return lines(title, "Share of calls of the last three days that were not answered 5xx. The objective is 99.9 %.", "percentunit",
			"1 - max("+recorded("failure_ratio:3d", class)+")", "answered").kind(Number).lowIsBad(.999,
			.9995).alert("SellerOpenAPIFailureBudgetBurnsFast")
	}
	quick := func(title, class, threshold string) Panel {
		return lines(title, "Share of calls of the last three days that were answered within "+threshold+". The objective is 99 %.",
			"percentunit",
			"1 - max("+recorded("slow_ratio:3d", class)+")", "quick").kind(Number).lowIsBad(.99,
			.995).alert("SellerOpenAPISlownessBudgetBurnsFast")
	}
	return Row{Title: "Service levels", Height: 4, Panels: []Panel{
		available("Reads answered", "read"), quick("Reads within 250 ms", "read", "250 ms"),
		available("Process calls answered", "process"), quick("Process calls within 1 s", "process", "a second, without batches"),
		lines("Ready instances", "Ready instances of the service with the fewest. 0 means that a part of the interface is unavailable.",
			"short",
			"min(sum by (job) (ready{"+ofAll+"}))", "ready").kind(Number).whole().lowIsBad(1, 2).alert("SellerOpenAPIServiceDown"),
	}}
}

// lowIsBad is like limits, for values that should be high.
func (p Panel) lowIsBad(values ...float64) Panel {
	p.Limits, p.LowIsBad = values, true
	return p
}

func budgets() Row {
	burn := func(title, help, rule, alert string, budget float64) Panel {
		speed := func(window, class string) string {
			return fmt.Sprintf("max(%s) / %g", recorded(rule+":"+window, class), budget)
		}
		return lines(title, help, "short", speed("1h", "read"), "reads, 1 h").also(speed("6h", "read"), "reads, 6 h").
			also(speed("1h", "process"), "process calls, 1 h").also(speed("6h", "process"),
			"process calls, 6 h").limits(6, 14.4).alert(alert)
	}
	return Row{Title: "Error budget burn rates", Panels: []Panel{
		burn("Failures", "1 uses up a month's budget of failures (0.1 %) in a month, 14.4 in two days.", "failure_ratio",
			"SellerOpenAPIFailureBudgetBurnsFast", .001),
		burn("Slowness", "1 uses up a month's budget of slow responses (1 %) in a month, 14.4 in two days.", "slow_ratio",
			"SellerOpenAPISlownessBudgetBurnsFast", .01),
		lines("Failures by pod",
			"Share of a gateway pod's responses with 5xx, the ten worst pods. If all are alike, the cause is behind the gateway.",
			"percentunit",
			"topk(10, "+part("pod, instance", "http_requests_total", ofGateway+`, route!="unmatched"`, `status=~"5.."`)+")",
			"{{pod}} {{instance}}").
			limits(.001, .0144).alert("SellerOpenAPIFailureBudgetBurnsFast"),
		lines("Slowness by pod",
			"Share of a gateway pod's responses that exceed the latency objective, the ten worst pods for reads and for process calls "+
				"(without batches).", "percentunit",
			slowPods(`method="GET"`, "0.25"), "reads {{pod}} {{instance}}").
			also(slowPods(`method="POST", route!~".+/batch/.+"`, "1(\\\\.0)?"), "process calls {{pod}} {{instance}}").
			limits(.01, .144).alert("SellerOpenAPISlownessBudgetBurnsFast"),
	}}
}

// The bound is a regular expression, because Prometheus may write the label 1 as 1.0.
func slowPods(class, bound string) string {
	const by, duration = "pod, instance", "http_request_duration_seconds"
	selector := ofGateway + `, route!="unmatched", ` + class
	return "topk(10, 1 - " + rate(by, duration+"_bucket", selector+`, le=~"`+bound+`"`) + " / " +
		rate(by, duration+"_count", selector) + ")"
}

// remaining returns the row with what is left of the error budgets of 30 days. With less than 30 days of data it covers what
// there is.
func remaining() Row {
	left := func(title, bad, all, class, alert string, budget float64) Panel {
		mean := func(rule string) string { return "avg_over_time(" + recorded(rule, class) + "[30d])" }
		return lines(title, "Fraction of the error budget of the last thirty days that is left, or of the days that Prometheus has. "+
			"Below 0 the objective is missed.", "percentunit",
			fmt.Sprintf("min(1 - %s / (%s > 0) / %g)", mean(bad), mean(all), budget), "left").kind(Number).lowIsBad(0, .25).alert(alert)
	}
	const failures, slowness = "SellerOpenAPIFailureBudgetBurnsSlowly", "SellerOpenAPISlownessBudgetBurnsSlowly"
	return Row{Title: "Error budgets of thirty days", Height: 4, Panels: []Panel{
		left("Failures of reads", "failures:rate5m", "requests:rate5m", "read", failures, .001),
		left("Slowness of reads", "slow:rate5m", "answers:rate5m", "read", slowness, .01),
		left("Failures of process calls", "failures:rate5m", "requests:rate5m", "process", failures, .001),
		left("Slowness of process calls", "slow:rate5m", "answers:rate5m", "process", slowness, .01),
	}}
}

func pods() Row {
	const byPod = "job, pod, instance"
	return Row{Title: "Pods", Panels: []Panel{
		lines("Slowest pods",
			"95th percentile of a pod's request duration, the ten slowest pods. If one is far above the others, check its node and its "+
				"connections.", "s",
			"topk(10, "+quantile(.95, byPod, "http_request_duration_seconds", ofAll)+")",
			"{{job}} {{pod}} {{instance}}").alert("SellerOpenAPISlownessBudgetBurnsFast"),
		lines("Failing pods", "Share of a pod's responses with 5xx, the ten worst pods.", "percentunit",
			"topk(10, "+part(byPod, "http_requests_total", ofAll, `status=~"5.."`)+")",
			"{{job}} {{pod}} {{instance}}").alert("SellerOpenAPIFailureBudgetBurnsFast"),
		lines("Time to get a connection", "Mean time that a pod waits for a database connection, the ten slowest pods.", "s",
			"topk(10, "+rate(byPod, "db_pool_acquire_seconds_total", ofAll)+" / "+rate(byPod, "db_pool_acquires_total", ofAll)+")",
			"{{job}} {{pod}} {{instance}}").
			alert("SellerOpenAPIDatabasePoolWaits"),
		lines("Clock skew", "Difference between a pod's clock and that of its database. Beyond a few seconds its calls are refused.",
			"s",
			"max by ("+byPod+") (abs(clock_skew_seconds{"+ofAll+"}))", "{{job}} {{pod}} {{instance}}").limits(.5,
			1).alert("SellerOpenAPIClockSkew"),
		lines("Autoscaler", "Current, desired and maximum number of pods, from kube-state-metrics.", "short",
			"max by (horizontalpodautoscaler) (kube_horizontalpodautoscaler_status_current_replicas{"+ofCluster+"})",
			"{{horizontalpodautoscaler}}").
			also("max by (horizontalpodautoscaler) (kube_horizontalpodautoscaler_status_desired_replicas{"+ofCluster+"})",
				"{{horizontalpodautoscaler}} desired").
			also("max by (horizontalpodautoscaler) (kube_horizontalpodautoscaler_spec_max_replicas{"+ofCluster+"})",
				"{{horizontalpodautoscaler}} maximum").whole().
			alert("SellerOpenAPIAutoscalerAtMaximum"),
	}}
}

func traffic() Row {
	return Row{Title: "Traffic at the gateway", Panels: []Panel{
		lines("Requests", "Requests per second by status. 429: clients over their limits; 5xx: server errors.", "reqps",
			rate("status", "http_requests_total", ofGateway), "{{status}}").stacked(),
		latency("Response time", "Median, 95th and 99th percentile of the duration of all requests.",
			"http_request_duration_seconds", ofGateway),
		lines("Refusals", "The ten most frequent codes of the error table, each counted by the service that decided it.", "reqps",
			"topk(10, "+rate("error_code", "http_requests_total", ofAll+`, error_code!=""`)+")", "{{error_code}}"),
		lines("In progress", "Requests in progress. If they rise while the request rate does not, a dependency is slow.", "short",
			"sum by (job) (http_requests_in_flight{"+ofAll+"})", "{{job}}"),
	}}
}

func health() Row {
	return Row{Title: "Health of the services", Panels: []Panel{
		lines("Ready instances", "Instances that accept requests, by service.", "short", "sum by (job) (ready{"+ofAll+"})",
			"{{job}}").alert("SellerOpenAPIServiceDown"),
		lines("Dependencies", "1 while every instance can reach the dependency.", "short",
			"min by (job, check) (dependency_up{"+ofAll+"})", "{{job}}: {{check}}").alert("SellerOpenAPIDependencyAway"),
		lines("Impaired dependencies",
			"1 while a dependency responds but is impaired: Redis is full, or PostgreSQL does not accept writes.", "short",
			"max by (job, check, impairment) (dependency_impaired{"+ofAll+"})",
			"{{job}}: {{check}} {{impairment}}").alert("SellerOpenAPIDependencyImpaired"),
		lines("Versions", "Running versions. Two versions of one service: a rollout is in progress, or stuck.", "short",
			"count by (job, version) (build_info{"+ofAll+"})", "{{job}} {{version}}").kind(Table).alert("SellerOpenAPIRolloutStuck"),
		lines("Time since start", "Uptime of the youngest instance of each service. A line that keeps falling to 0 is a crash loop.",
			"s",
			"time() - max by (job) (process_start_time_seconds{"+ofAll+"})", "{{job}}"),
	}}
}

func processes() Row {
	return Row{Title: "Processes", Panels: []Panel{
		lines("CPU", "Cores in use by service, all instances together.", "short", rate("job", "process_cpu_seconds_total", ofAll),
			"{{job}}").stacked(),
		lines("Memory", "Resident memory of the largest instance, and the limit of the Go runtime (GOMEMLIMIT).", "bytes",
			"max by (job) (process_resident_memory_bytes{"+ofAll+"})", "{{job}}").
			also("max by (job) (go_gc_gomemlimit_bytes{"+ofAll+"} < 1e15)", "{{job}} limit").alert("SellerOpenAPIMemoryNearLimit"),
		lines("Goroutines", "Goroutines of the instance with the most. A line that only rises is a leak.", "short",
			"max by (job) (go_goroutines{"+ofAll+"})", "{{job}}"),
		lines("Open files", "Fraction of the allowed file descriptors that are in use, of the worst instance.", "percentunit",
			"max by (job) (process_open_fds{"+ofAll+"} / process_max_fds{"+ofAll+"})", "{{job}}").limits(.7, .9),
	}}
}

func behind() Row {
	return Row{Title: "Background work", Panels: []Panel{
		lines("Oldest pending step", "Age of the oldest pending step between claims and orders. Above a minute something is stuck.",
			"s",
			"max by (step) (saga_oldest_pending_seconds{"+ofAll+"})", "{{step}}").limits(60, 600).alert("SellerOpenAPISagaStepStuck"),
		lines("Deadlines missed", "How long ago the oldest unprocessed deadline passed; a sweep normally processes it within seconds.",
			"s",
			`max by (job, deadline) (deadline_overdue_seconds{`+ofAll+`, deadline!="answer"})`, "{{job}} {{deadline}}").limits(60, 900).
			alert("SellerOpenAPIDeadlinesMissed"),
		lines("Open orders and claims", "Sellers' parts of orders, and claims, that are not completed.", "short",
			"sum(max by (item_status) (orders_open{"+ofAll+"}))", "orders").
			also("sum(max by (type, status) (claims_open{"+ofAll+"}))", "claims"),
		lines("Spans lost", "Spans per second that the collector did not accept. Requests do not wait for it, but traces are "+
			"incomplete.", "ops",
			rate("job", "trace_export_failures_total", ofAll), "{{job}}").alert("SellerOpenAPITracesLost"),
	}}
}
