package dashboards

// gateway returns the dashboard of the gateway: which calls are admitted or refused and why, and what the hop to the services adds.
func gateway() Dashboard {
	return Dashboard{
		Name: "gateway", Title: "Seller Open API: gateway",
		Description: "Keys, limits, idempotency and the hop to the services.",
		Rows:        []Row{public(ofGateway), admission(), bodies(), hop(), gatewayStores(), calls(ofGateway)},
	}
}

func admission() Row {
	return Row{Title: "Who is let through", Panels: []Panel{
		lines("Limits", "Calls weighed against the limits, by class and outcome. unavailable means that Redis did not answer and the call was refused, full that it has no memory for a new idempotency key.", "reqps",
			rate("class, outcome", "limit_decisions_total", ofGateway), "{{class}} {{outcome}}").stacked().alert("SellerOpenAPIRedisAway"),
		lines("Refused by limits", "Share of weighed calls that were over a limit. High for long: a client that does not wait for Retry-After.", "percentunit",
			part("class", "limit_decisions_total", ofGateway, `outcome=~"refused_.+"`), "{{class}}").limits(.1, .5),
		lines("Keys refused", "Keys refused a second, by reason. forged are texts that were never ours: someone is guessing.", "reqps",
			rate("reason", "key_refusals_total", ofGateway), "{{reason}}").stacked().alert("SellerOpenAPIForgedKeys"),
		lines("Addresses over their limit", "Calls a second without a good key that were answered 429, because their address makes too many, and connections that were closed, because it has too many.", "reqps",
			rate("", "address_refusals_total", ofGateway), "calls").
			also(rate("", "connection_refusals_total", ofGateway), "connections"),
		lines("Keys looked up", "Keys read from the database: for a call whose key was not cached, which should be rare, and at the start of an instance.", "reqps",
			rate("source", "key_lookups_total", ofGateway), "{{source}}").stacked(),
		lines("Idempotency keys", "What became of them. replayed are clients that repeat a call; busy are two at once; late should not happen.", "reqps",
			rate("outcome", "idempotency_outcomes_total", ofGateway), "{{outcome}}").stacked().alert("SellerOpenAPIAnswersLate"),
		lines("Oldest key in progress", "How long the oldest process call has been under way. A call takes half a minute at most.", "s",
			"max by (job) (idempotency_oldest_in_progress_seconds{"+ofGateway+"})", "oldest").limits(30, 60).alert("SellerOpenAPIIdempotencyKeysStuck"),
	}}
}

func bodies() Row {
	return Row{Title: "Bodies", Panels: []Panel{
		lines("Memory for bodies", "Reserved by each pod for bodies that are under way, by their announced lengths. BODY_MEMORY_MIB is the most.", "bytes",
			"sum by (instance) (body_memory_bytes{"+ofGateway+"})", "{{instance}}"),
		lines("Bodies not waited for", "Admitted calls a second whose body was refused. key: four of the key are under way; memory: no room; slow: it did not come.", "reqps",
			rate("reason", "body_refusals_total", ofGateway), "{{reason}}").stacked(),
	}}
}

func hop() Row {
	return Row{Title: "The hop to the services", Panels: []Panel{
		lines("Forwarded", "Requests forwarded a second, by service and outcome.", "reqps",
			rate("upstream, outcome", "upstream_requests_total", ofGateway), "{{upstream}} {{outcome}}").stacked(),
		lines("Without an answer", "Share of forwarded requests that got no usable answer, by service.", "percentunit",
			part("upstream", "upstream_requests_total", ofGateway, `outcome=~"unavailable|timeout|bad_answer"`), "{{upstream}}").limits(.001, .05).alert("SellerOpenAPIUpstreamFails"),
		lines("Slowest twentieth", "Time that 95 % of the forwarded requests stay below, by service.", "s",
			quantile(.95, "upstream", "upstream_duration_seconds", ofGateway), "{{upstream}}").limits(.25, 1),
		lines("Added by the gateway", "What a request takes at the gateway beyond what the services take, as a mean: quantiles cannot be subtracted.", "s",
			"("+rate("", "http_request_duration_seconds_sum", ofGateway+`, route!="unmatched"`)+" - "+rate("", "upstream_duration_seconds_sum", ofGateway)+") / "+
				rate("", "http_request_duration_seconds_count", ofGateway+`, route!="unmatched"`), "added").limits(.01, .05),
		heat("Time to answer", "Every request by how long it took.", "http_request_duration_seconds", ofGateway),
	}}
}

func gatewayStores() Row {
	return Row{Title: "Redis and PostgreSQL of the gateway", Panels: []Panel{
		lines("Scripts and commands", "Redis commands a second, scripts under their own name.", "ops",
			rate("command", "redis_command_duration_seconds_count", ofGateway), "{{command}}").stacked(),
		lines("Slowest hundredth of the commands", "Time that 99 % of the commands stay below. The gateway gives up at 150 ms.", "s",
			quantile(.99, "command", "redis_command_duration_seconds", ofGateway), "{{command}}").limits(.05, .15),
		lines("Failed commands", "Share of Redis commands that failed.", "percentunit",
			part("", "redis_command_duration_seconds_count", ofGateway, `outcome="error"`), "failed").limits(.001, .01).alert("SellerOpenAPIRedisAway"),
		lines("Statements", "Time that 95 % of the statements stay below, by name.", "s",
			quantile(.95, "query", "db_query_duration_seconds", ofGateway), "{{query}}").limits(.1, 1),
	}}
}

// ofBusiest selects the series of the sellers that have their own metrics.
var ofBusiest = ofGateway + `, seller!="other"`

// sellers returns the dashboard that shows which sellers cause the load.
func sellers() Dashboard {
	bySeller := func(metric string) string { return "sum by (seller) (" + metric + "{" + ofBusiest + "})" }
	return Dashboard{
		Name: "sellers", Title: "Seller Open API: sellers",
		Description: "The busiest sellers, by what they ask for. There are metrics for these few only; the access log has all of them.",
		Rows: []Row{
			{Title: "Busiest sellers", Panels: []Panel{
				lines("Calls", "Calls a second over the last five to ten minutes. A seller that always called and is gone: its program has stopped.", "reqps",
					"topk(10, "+bySeller("seller_calls_per_second")+")", "{{seller}}").alert("SellerOpenAPISellerStoppedPolling"),
				lines("Rows", "Rows a second that they were given. A key may have 3,000 in a minute, which is 50 a second.", "ops",
					"topk(10, "+bySeller("seller_rows_per_second")+")", "{{seller}}").limits(50),
			}},
			{Title: "Habits", Panels: []Panel{
				lines("Rows for each call", "Many calls for few rows: a client that asks for details one by one, or for small pages.", "short",
					bySeller("seller_rows_per_second")+" / "+bySeller("seller_calls_per_second"), "{{seller}}"),
				lines("Share of the calls", "What part of all calls the busiest seller makes.", "percentunit",
					"max by (job) (sum by (job, seller) (seller_calls_per_second{"+ofBusiest+"})) / sum by (job) (seller_calls_per_second{"+ofGateway+"})", "busiest").limits(.5, .8),
			}},
		},
	}
}
