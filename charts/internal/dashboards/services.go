package dashboards

import "sellerapi.dev/pkg/operation"

var special = map[operation.Service]func() Dashboard{
	operation.Orders: orders, operation.Claims: claims, operation.QnA: qna,
}

func backends() []Dashboard {
	services := operation.Services()
	all := make([]Dashboard, len(services))
	for n, service := range services {
		all[n] = plain(service)
		if own, ok := special[service]; ok {
			all[n] = own()
		}
	}
	return all
}

func plain(service operation.Service) Dashboard {
	selector := of(service)
	return Dashboard{
		Name: string(service), Title: "Seller Open API: " + string(service),
		Description: "Public paths, remote procedure calls, statements.",
		Rows:        []Row{public(selector), calls(selector), statements(selector)},
	}
}

func orders() Dashboard {
	return Dashboard{
		Name: "orders", Title: "Seller Open API: orders",
		Description: "Reading and processing orders, intake from the marketplace, line changes requested by claims.",
		Rows:        []Row{public(ofOrders), ordersUnderWay(), calls(ofOrders), statements(ofOrders), sweeps(ofOrders)},
	}
}

func claims() Dashboard {
	return Dashboard{
		Name: "claims", Title: "Seller Open API: claims and saga",
		Description: "Claims, the steps between claims and orders, refunds and deadlines.",
		Rows: []Row{
			public(ofClaims), claimsUnderWay(), refunds(), saga(), calls(ofClaims),
			statements(ofClaims), sweeps(ofClaims),
		},
	}
}

func qna() Dashboard {
	dashboard := plain(operation.QnA)
	dashboard.Title, dashboard.Description = "Seller Open API: product inquiries",
		"Reading and answering inquiries, intake from the marketplace."
	return dashboard
}

func overdue(title, help, selector string) Panel {
	return lines(title, help, "s", "max by (deadline) (deadline_overdue_seconds{"+selector+"})", "{{deadline}}").limits(60,
		900).alert("SellerOpenAPIDeadlinesMissed")
}

func ordersUnderWay() Row {
	return Row{Title: "Open orders", Panels: []Panel{
		lines("Orders by state of their items",
			"Sellers' parts of orders with items in the state. If paid or preparing only rises, sellers have stopped processing.", "short",
			"max by (item_status) (orders_open{"+ofOrders+"})", "{{item_status}}").stacked(),
		overdue("Purchases not confirmed in time", "How long the oldest automatic purchase confirmation is overdue, 0 when none is.",
			ofOrders+`, deadline="purchase"`),
	}}
}

func claimsUnderWay() Row {
	return Row{Title: "Open claims", Panels: []Panel{
		lines("Claims by state", "Claims that are not completed, by state.", "short",
			"sum by (status) (max by (type, status) (claims_open{"+ofClaims+"}))", "{{status}}").stacked(),
		lines("Claims by type", "Claims that are not completed, by type.", "short",
			"sum by (type) (max by (type, status) (claims_open{"+ofClaims+"}))", "{{type}}").stacked(),
		lines("Refunds by state",
			"Refunds that have not succeeded, by state. manual: refused too often by the provider, so an operator has to act.", "short",
			"max by (status) (refunds_open{"+ofClaims+"})", "{{status}}").stacked().alert("SellerOpenAPIRefundsManual"),
		overdue("Deadlines missed", "How long ago the oldest unprocessed inspection or payment deadline passed, 0 when there is none.",
			ofClaims+`, deadline=~"inspection|payment"`),
	}}
}

func refunds() Row {
	return Row{Title: "Refunds and the payment provider", Panels: []Panel{
		lines("Oldest unanswered refund",
			"How long the oldest refund request has been unanswered, 0 when there is none. The provider answers within seconds; above "+
				"minutes it is unavailable.", "s",
			"max(refund_unanswered_seconds{"+ofClaims+"})", "oldest").limits(60, 900).alert("SellerOpenAPIRefundsUnanswered"),
		lines("Refund requests", "Requests to the provider per second, by outcome.", "ops",
			rate("outcome", "refund_asks_total", ofClaims), "{{outcome}}").stacked(),
		lines("Not answered", "Share of refund requests that got no usable response.", "percentunit",
			part("job", "refund_asks_total", ofClaims, `outcome="silent"`), "not answered").limits(.05,
			.5).alert("SellerOpenAPIRefundProviderSilent"),
	}}
}

func saga() Row {
	return Row{Title: "Steps between claims and orders", Panels: []Panel{
		lines("Oldest pending step",
			"Age of the oldest pending step, 0 when there is none. Steps normally take seconds; above a minute one is stuck.", "s",
			"max by (step) (saga_oldest_pending_seconds{"+ofClaims+"})", "{{step}}").limits(60, 600).alert("SellerOpenAPISagaStepStuck"),
		lines("Steps", "Attempts per second, by outcome. done_inline: completed by the call itself, the normal case; done_by_job: "+
			"completed by a retry in the background.", "ops",
			rate("step, outcome", "saga_steps_total", ofClaims), "{{step}} {{outcome}}").stacked(),
		lines("Failed attempts", "Share of attempts that ended in a retry or in permanent failure.", "percentunit",
			part("step", "saga_steps_total", ofClaims, `outcome=~"retry|failed"`), "{{step}}").limits(.05,
			.5).alert("SellerOpenAPISagaStepFailed"),
		lines("Calls to orders", "Calls from claims to orders, by procedure and RPC code.", "reqps",
			rate("procedure, code", "rpc_client_requests_total", ofClaims), "{{procedure}} {{code}}").stacked(),
		lines("95th percentile of calls", "95th percentile of the duration of these calls, measured by claims.", "s",
			quantile(.95, "procedure", "rpc_client_duration_seconds", ofClaims), "{{procedure}}").limits(1, 5),
	}}
}

func sweeps(selector string) Row {
	return Row{Title: "Sweeps", Panels: []Panel{
		lines("Runs", "Due items that sweeps processed or tried per second, by kind and outcome.", "ops",
			rate("kind, outcome", "job_runs_total", selector), "{{kind}} {{outcome}}").stacked(),
		lines("Failed runs", "Share of runs that failed. Their items stay due and are retried.", "percentunit",
			part("kind", "job_runs_total", selector, `outcome!="done"`), "{{kind}}").limits(.05, .5).alert("SellerOpenAPIJobsPanic"),
		lines("95th percentile", "95th percentile of the duration of runs, by kind.", "s",
			quantile(.95, "kind", "job_duration_seconds", selector), "{{kind}}").limits(1, 10),
	}}
}
