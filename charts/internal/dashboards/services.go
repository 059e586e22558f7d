package dashboards

import "sellerapi.dev/pkg/operation"

// special has the dashboards of services behind the gateway that differ from the plain one.
var special = map[operation.Service]func() Dashboard{
	operation.Orders: orders, operation.Claims: claims, operation.QnA: qna,
}

// backends returns the dashboard of every service behind the gateway.
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

// plain returns the dashboard of a service without its own rows.
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
		Description: "Reading and processing orders, intake from the marketplace, line changes asked for by claims.",
		Rows:        []Row{public(ofOrders), ordersUnderWay(), calls(ofOrders), statements(ofOrders), sweeps(ofOrders)},
	}
}

func claims() Dashboard {
	return Dashboard{
		Name: "claims", Title: "Seller Open API: claims and saga",
		Description: "Claims, the steps between claims and orders, refunds and deadlines.",
		Rows:        []Row{public(ofClaims), claimsUnderWay(), refunds(), saga(), calls(ofClaims), statements(ofClaims), sweeps(ofClaims)},
	}
}

func qna() Dashboard {
	dashboard := plain(operation.QnA)
	dashboard.Title, dashboard.Description = "Seller Open API: product inquiries", "Reading and answering inquiries, intake from the marketplace."
	return dashboard
}

// overdue returns a panel that shows how far sweeps are behind the deadlines.
func overdue(title, help, selector string) Panel {
	return lines(title, help, "s", "max by (deadline) (deadline_overdue_seconds{"+selector+"})", "{{deadline}}").limits(60, 900).alert("SellerOpenAPIDeadlinesMissed")
}

func ordersUnderWay() Row {
	return Row{Title: "Orders under way", Panels: []Panel{
		lines("Orders by state of their items", "Sellers' parts of orders with items in the state. Paid or preparing that only climbs: sellers have stopped to work.", "short",
			"max by (item_status) (orders_open{"+ofOrders+"})", "{{item_status}}").stacked(),
		overdue("Purchases not confirmed in time", "How long ago the purchase that waits longest should have confirmed itself, 0 when none waits.", ofOrders+`, deadline="purchase"`),
	}}
}

func claimsUnderWay() Row {
	return Row{Title: "Claims under way", Panels: []Panel{
		lines("Claims by state", "Claims that have not ended, by state.", "short",
			"sum by (status) (max by (type, status) (claims_open{"+ofClaims+"}))", "{{status}}").stacked(),
		lines("Claims by type", "Claims that have not ended, by type.", "short",
			"sum by (type) (max by (type, status) (claims_open{"+ofClaims+"}))", "{{type}}").stacked(),
		lines("Refunds by state", "Refunds that have not succeeded, by state. manual is for a person: the provider has said no too often.", "short",
			"max by (status) (refunds_open{"+ofClaims+"})", "{{status}}").stacked().alert("SellerOpenAPIRefundsManual"),
		overdue("Deadlines missed", "How long ago the oldest inspection or payment deadline passed that nothing has followed yet, 0 when there is none.",
			ofClaims+`, deadline=~"inspection|payment"`),
	}}
}

func refunds() Row {
	return Row{Title: "Refunds and the payment provider", Panels: []Panel{
		lines("Oldest refund without an answer", "How long the provider has owed the oldest answer, 0 when it owes none. It answers within seconds; above minutes it is away.", "s",
			"max(refund_unanswered_seconds{"+ofClaims+"})", "oldest").limits(60, 900).alert("SellerOpenAPIRefundsUnanswered"),
		lines("Asked", "Refunds that the provider was asked for a second, by outcome.", "ops",
			rate("outcome", "refund_asks_total", ofClaims), "{{outcome}}").stacked(),
		lines("Not answered", "Share of the asks that brought no usable answer.", "percentunit",
			part("job", "refund_asks_total", ofClaims, `outcome="silent"`), "not answered").limits(.05, .5).alert("SellerOpenAPIRefundProviderSilent"),
	}}
}

func saga() Row {
	return Row{Title: "Steps between claims and orders", Panels: []Panel{
		lines("Oldest pending step", "Age of the oldest step that is not done, 0 when there is none. Steps are done within seconds; above a minute one is stuck.", "s",
			"max by (step) (saga_oldest_pending_seconds{"+ofClaims+"})", "{{step}}").limits(60, 600).alert("SellerOpenAPISagaStepStuck"),
		lines("Steps", "Steps tried a second, by outcome. done_inline is the usual way; done_by_job healed something.", "ops",
			rate("step, outcome", "saga_steps_total", ofClaims), "{{step}} {{outcome}}").stacked(),
		lines("Not done at the first try", "Share of tries that ended in another try or in failure.", "percentunit",
			part("step", "saga_steps_total", ofClaims, `outcome=~"retry|failed"`), "{{step}}").limits(.05, .5).alert("SellerOpenAPISagaStepFailed"),
		lines("Calls to orders", "Calls that claims makes, by procedure and RPC code.", "reqps",
			rate("procedure, code", "rpc_client_requests_total", ofClaims), "{{procedure}} {{code}}").stacked(),
		lines("Slowest twentieth of them", "Time that 95 % of the calls stay below, as claims sees it.", "s",
			quantile(.95, "procedure", "rpc_client_duration_seconds", ofClaims), "{{procedure}}").limits(1, 5),
	}}
}

// sweeps returns the row of a service's background jobs.
func sweeps(selector string) Row {
	return Row{Title: "Sweeps", Panels: []Panel{
		lines("Runs", "Due items that sweeps did or tried a second, by kind and outcome.", "ops",
			rate("kind, outcome", "job_runs_total", selector), "{{kind}} {{outcome}}").stacked(),
		lines("Not done", "Share of runs that failed. What failed stays due and is tried again.", "percentunit",
			part("kind", "job_runs_total", selector, `outcome!="done"`), "{{kind}}").limits(.05, .5).alert("SellerOpenAPIJobsPanic"),
		lines("Slowest twentieth", "Time that 95 % of the runs stay below, by kind.", "s",
			quantile(.95, "kind", "job_duration_seconds", selector), "{{kind}}").limits(1, 10),
	}}
}
