package dashboards

func console() Dashboard {
	return Dashboard{
		Name: "console", Title: "Seller Open API: partner console",
		Description: "Pages, the calls to the gateway behind them, sessions. Empty where the console is not installed.",
		Rows:        []Row{consolePages(), procedures("Calls to the gateway", "rpc_client", ofConsole), consoleSessions()},
	}
}

func consolePages() Row {
	const requests, duration = "http_requests_total", "http_request_duration_seconds"
	return Row{Title: "Pages", Panels: []Panel{
		lines("Requests", "Requests per second by route.", "reqps", rate("route, method", requests, ofConsole),
			"{{method}} {{route}}").stacked(),
		lines("By status", "Responses per second by status. 403: a role does not suffice, or a form came from another site.", "reqps",
			rate("status", requests, ofConsole), "{{status}}").stacked(),
		lines("Failed", "Share of responses with 5xx, by route. At /sign-in/start and /sign-in/callback: the OpenID provider is away.",
			"percentunit", part("route", requests, ofConsole, `status=~"5.."`), "{{route}}").limits(.01,
			.1).alert("SellerOpenAPIConsoleFails"),
		lines("95th percentile", "95th percentile of the duration of requests, by route.", "s",
			quantile(.95, "route", duration, ofConsole), "{{route}}").limits(1, 5),
	}}
}

func consoleSessions() Row {
	const duration = "redis_command_duration_seconds"
	return Row{Title: "Sessions in Redis", Panels: []Panel{
		lines("Commands", "Redis commands per second.", "ops", rate("command", duration+"_count", ofConsole), "{{command}}").stacked(),
		lines("Failed commands", "Share of Redis commands that failed. Without Redis nobody is signed in.", "percentunit",
			part("", duration+"_count", ofConsole, `outcome="error"`), "failed").limits(.001, .01).alert("SellerOpenAPIConsoleFails"),
		lines("95th percentile of commands", "95th percentile of the duration of commands.", "s",
			quantile(.95, "command", duration, ofConsole), "{{command}}").limits(.05, .5),
	}}
}
