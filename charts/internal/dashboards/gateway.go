package dashboards

func gateway() Dashboard {
	return Dashboard{
		Name: "gateway", Title: "Seller Open API: gateway",
		Description: "Keys, limits, idempotency and the hop to the services.",
		Rows: []Row{
			public(ofGateway), admission(), bodies(), webhooks(), requestLog(), hop(), gatewayStores(), calls(ofGateway),
		},
	}
}

func admission() Row {
	return Row{Title: "Admission", Panels: []Panel{
		lines("Limits", "Calls checked against the limits, by class and outcome. unavailable: Redis did not respond, and the call "+
			"was refused; full: Redis has no memory for a new idempotency key.", "reqps",
			rate("class, outcome", "limit_decisions_total", ofGateway), "{{class}} {{outcome}}").stacked().alert("SellerOpenAPIRedisAway"),
		lines("Refused by limits",
			"Share of checked calls that exceeded a limit. High for a long time: a client that ignores Retry-After.", "percentunit",
			part("class", "limit_decisions_total", ofGateway, `outcome=~"refused_.+"`), "{{class}}").limits(.1, .5),
		lines("Keys refused", "Keys refused per second, by reason. forged: keys that were never issued; someone is guessing.", "reqps",
			rate("reason", "key_refusals_total", ofGateway), "{{reason}}").stacked().alert("SellerOpenAPIForgedKeys"),
		lines("Addresses over their limit",
			"Calls per second without a valid key that were answered 429 because their address makes too many, and connections that "+
				"were closed because it has too many.", "reqps",
			rate("", "address_refusals_total", ofGateway), "calls").
			also(rate("", "connection_refusals_total", ofGateway), "connections"),
		lines("Key lookups", "Keys read from the database: for a call whose key was not cached, which should be rare, and at the "+
			"start of an instance.", "reqps",
			rate("source", "key_lookups_total", ofGateway), "{{source}}").stacked(),
		lines("Pods by preload of keys",
			"Pods that have read the active keys at their start, and those that have given up after three tries because the database "+
				"is slow: each of their keys is looked up at its first call.", "short",
			"sum by (outcome) (key_preloads_total{"+ofGateway+"})", "{{outcome}}"),
		lines("Idempotency keys",
			"Outcomes per second. replayed: clients that repeat a call; busy: two concurrent calls with one key; late: the response "+
				"came after the lock had expired, which should not happen.", "reqps",
			rate("outcome", "idempotency_outcomes_total", ofGateway), "{{outcome}}").stacked().alert("SellerOpenAPIAnswersLate"),
		lines("Oldest key in progress", "How long the oldest process call has been in progress. A call takes half a minute at most.",
			"s",
			"max by (job) (idempotency_oldest_in_progress_seconds{"+ofGateway+"})", "oldest").limits(30,
			60).alert("SellerOpenAPIIdempotencyKeysStuck"),
	}}
}

func bodies() Row {
	return Row{Title: "Bodies", Panels: []Panel{
		lines("Memory for bodies",
			"Memory that each pod has reserved for request bodies in progress, by Content-Length. BODY_MEMORY_MIB is the limit.", "bytes",
			"sum by (instance) (body_memory_bytes{"+ofGateway+"})", "{{instance}}"),
		lines("Bodies refused",
			"Admitted calls per second whose body was refused. key: four bodies of the key are in progress; memory: the limit is "+
				"reached; slow: it did not arrive in time.", "reqps",
			rate("reason", "body_refusals_total", ofGateway), "{{reason}}").stacked(),
		lines("Calls that wait for their seller",
			"Pages and large bodies per second that waited for others of the same seller. late: refused with 503, because the services "+
				"took too long for those before them.", "reqps",
			rate("class, outcome", "call_waits_total", ofGateway), "{{class}} {{outcome}}"),
		lines("Held calls",
			"Calls that each pod holds until something of their seller changes. HELD_CALLS is the limit.", "short",
			"sum by (instance) (held_calls{"+ofGateway+"})", "{{instance}}"),
		lines("Ends of held calls",
			"Held calls that ended, per second. unchanged: the time was over; full: not held, because as many as allowed were.", "reqps",
			rate("end", "held_call_ends_total", ofGateway), "{{end}}").stacked(),
	}}
}

func webhooks() Row {
	return Row{Title: "Webhooks", Panels: []Panel{
		lines("Deliveries", "Deliveries per second. refused: the receiver answered with another status than 2xx; unreachable: it did "+
			"not answer.", "reqps",
			rate("outcome", "webhook_deliveries_total", ofGateway), "{{outcome}}").stacked(),
		lines("Oldest change without a delivery", "How long each pod has known the oldest change for which no delivery has begun. "+
			"Receivers that failed are left out.", "s",
			"max by (instance) (webhook_oldest_undelivered_seconds{"+ofGateway+"})", "{{instance}}").limits(10,
			60).alert("SellerOpenAPIWebhooksLate"),
		lines("Paused webhooks", "Webhooks without deliveries: paused by their seller, or because each delivery of a day failed.",
			"short", "max by (by) (webhooks_paused{"+ofGateway+"})", "{{by}}"),
	}}
}

func requestLog() Row {
	return Row{Title: "Request log", Panels: []Panel{
		lines("Logged calls", "Answered calls with a known key per second. full: the queue was full; crowded: the queue had a "+
			"thousand calls of the seller; lost: the database refused them, or the pod stopped while it was away.", "reqps",
			rate("outcome", "request_log_calls_total", ofGateway), "{{outcome}}").stacked().alert("SellerOpenAPIRequestLogDropsCalls"),
		lines("Waiting to be written", "Calls in the queue of each pod, which is written every second and holds 20,000.", "short",
			"sum by (instance) (request_log_queued{"+ofGateway+"})", "{{instance}}"),
		lines("Dropped days", "Days that were dropped within a day. bytes: earlier than REQUEST_LOG_DAYS says, because the log is "+
			"larger than REQUEST_LOG_MIB.", "short",
			"sum by (limit) (increase(request_log_partitions_dropped_total{"+ofGateway+"}[1d]))", "{{limit}}"),
		lines("Today beyond the limit", "By how much today alone is larger than REQUEST_LOG_MIB.", "bytes",
			"max(request_log_bytes_over{"+ofGateway+"})", "over"),
	}}
}

func hop() Row {
	return Row{Title: "The hop to the services", Panels: []Panel{
		lines("Forwarded", "Requests forwarded per second, by service and outcome.", "reqps",
			rate("upstream, outcome", "upstream_requests_total", ofGateway), "{{upstream}} {{outcome}}").stacked(),
		lines("Without a response", "Share of forwarded requests that got no usable response, by service.", "percentunit",
			part("upstream", "upstream_requests_total", ofGateway, `outcome=~"unavailable|timeout|bad_answer"`),
			"{{upstream}}").limits(.001, .05).alert("SellerOpenAPIUpstreamFails"),
		lines("95th percentile", "95th percentile of the duration of forwarded requests, by service.", "s",
			quantile(.95, "upstream", "upstream_duration_seconds", ofGateway), "{{upstream}}").limits(.25, 1),
		lines("Added by the gateway",
			"Mean time that the gateway adds to the services' time; a mean, because quantiles cannot be subtracted.", "s",
			"("+rate("", "http_request_duration_seconds_sum", ofGateway+`, route!="unmatched"`)+" - "+rate("",
				"upstream_duration_seconds_sum", ofGateway)+") / "+
				rate("", "http_request_duration_seconds_count", ofGateway+`, route!="unmatched"`), "added").limits(.01, .05),
		heat("Response time", "Distribution of the duration of all requests.", "http_request_duration_seconds", ofGateway),
	}}
}

func gatewayStores() Row {
	return Row{Title: "Redis and PostgreSQL of the gateway", Panels: []Panel{
		lines("Scripts and commands", "Redis commands per second; scripts have their own names.", "ops",
			rate("command", "redis_command_duration_seconds_count", ofGateway), "{{command}}").stacked(),
		lines("99th percentile of commands", "99th percentile of the duration of commands. The gateway times out after 150 ms.", "s",
			quantile(.99, "command", "redis_command_duration_seconds", ofGateway), "{{command}}").limits(.05, .15),
		lines("Failed commands", "Share of Redis commands that failed.", "percentunit",
			part("", "redis_command_duration_seconds_count", ofGateway, `outcome="error"`), "failed").limits(.001,
			.01).alert("SellerOpenAPIRedisAway"),
		lines("Statements", "95th percentile of the duration of statements, by name.", "s",
			quantile(.95, "query", "db_query_duration_seconds", ofGateway), "{{query}}").limits(.1, 1),
	}}
}

// ofBusiest selects the series of the sellers that have their own metrics.
var ofBusiest = ofGateway + `, seller!="other"`

func sellers() Dashboard {
	bySeller := func(metric string) string { return "sum by (seller) (" + metric + "{" + ofBusiest + "})" }
	return Dashboard{
		Name: "sellers", Title: "Seller Open API: sellers",
		Description: "The busiest sellers, by calls and rows. Only these few have metrics; the access log has all sellers.",
		Rows: []Row{
			{Title: "Busiest sellers", Panels: []Panel{
				lines("Calls", "Calls per second over the last five to ten minutes. A seller that polls regularly and disappears: its "+
					"program has stopped.", "reqps",
					"topk(10, "+bySeller("seller_calls_per_second")+")", "{{seller}}").alert("SellerOpenAPISellerStoppedPolling"),
				lines("Rows", "Rows per second that were returned to them. The limit of a key is 3,000 a minute, or 50 per second.", "ops",
					"topk(10, "+bySeller("seller_rows_per_second")+")", "{{seller}}").limits(50),
			}},
			{Title: "Usage patterns", Panels: []Panel{
				lines("Rows per call", "Few rows per call: a client that reads details one by one, or small pages.", "short",
					bySeller("seller_rows_per_second")+" / "+bySeller("seller_calls_per_second"), "{{seller}}"),
				lines("Share of the calls", "Share of all calls that the busiest seller makes.", "percentunit",
					"max by (job) (sum by (job, seller) (seller_calls_per_second{"+ofBusiest+"})) / "+
						"sum by (job) (seller_calls_per_second{"+ofGateway+"})", "busiest").limits(.5, .8),
			}},
		},
	}
}
