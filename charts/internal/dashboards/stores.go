package dashboards

func stores() Dashboard {
	return Dashboard{
		Name: "stores", Title: "Seller Open API: PostgreSQL, Redis, pools, sweeps",
		Description: "The data stores, and how long the services wait for them.", Services: true,
		Rows: []Row{
			databasePool(), statements(ofChosen), postgres(), tables(), answersKept(), redisPool(),
			redisCommands(), sweeps(ofChosen),
		},
	}
}

func databasePool() Row {
	inUse := `sum by (job) (db_pool_connections{` + ofChosen + `, state="in_use"})`
	limit := `sum by (job) (db_pool_connections{` + ofChosen + `, state="max"})`
	return Row{Title: "PostgreSQL: pools", Panels: []Panel{
		lines("Connections", "Connections by service and state, all instances together.", "short",
			`sum by (job, state) (db_pool_connections{`+ofChosen+`, state!="max"})`, "{{job}} {{state}}").stacked(),
		lines("In use", "Fraction of the allowed connections that is in use. At 1 requests queue.", "percentunit",
			inUse+" / "+limit, "{{job}}").
			limits(.7, .9).alert("SellerOpenAPIDatabasePoolExhausted"),
		lines("Waits", "Share of acquisitions that had to wait because no connection was idle.", "percentunit",
			rate("job", "db_pool_acquire_waits_total", ofChosen)+" / "+rate("job", "db_pool_acquires_total", ofChosen),
			"{{job}}").limits(.2, .5),
		lines("Time to get a connection", "Mean time to acquire a connection.", "s",
			rate("job", "db_pool_acquire_seconds_total", ofChosen)+" / "+rate("job", "db_pool_acquires_total", ofChosen),
			"{{job}}").limits(.01, .1),
		lines("Cancelled waits", "Waits for a connection per second that were cancelled, usually by a timeout.", "ops",
			rate("job", "db_pool_acquire_cancels_total", ofChosen), "{{job}}").
			alert("SellerOpenAPIDatabaseWaitsGivenUp"),
		lines("Pages by source",
			"List pages per second where there is a replica: read from it, or from the primary because the replica lags or is "+
				"unavailable.", "ops",
			rate("job, source", "db_pages_total", ofChosen), "{{job}} {{source}}").stacked(),
		lines("Changes waiting for their seller's clock",
			"Mean number of changes that wait for the clock of their seller, for the five sellers with the most. Changes of one seller "+
				"are executed one at a time.", "short",
			"topk(5, sum by (job, seller) (seller_clock_waiting{"+ofChosen+"}))", "{{job}} {{seller}}").limits(.5,
			1).alert("SellerOpenAPISellerClockHot"),
		lines("Wait for a seller's clock",
			"Mean time that a change of these sellers waits, including one round trip to the database. A change gives up after three "+
				"seconds.", "s",
			"topk(5, max by (job, seller) (seller_clock_wait_seconds{"+ofChosen+"}))", "{{job}} {{seller}}").limits(.25,
			1).alert("SellerOpenAPISellerClockHeld"),
	}}
}

// ofCluster selects the series of the cluster's exporters, which have no pods of the services.
const ofCluster = `namespace=~"$namespace"`

// postgres returns the row of the metrics of CloudNativePG and the kubelet; it is empty without them.
func postgres() Row {
	return Row{Title: "PostgreSQL: replicas, WAL, volumes (CloudNativePG, kubelet)", Panels: []Panel{
		lines("Replication lag", "How far each replica lags behind its primary.", "s",
			"max by (pod) (cnpg_pg_replication_lag{"+ofCluster+"})", "{{pod}}").limits(5, 30).whole().alert("SellerOpenAPIReplicationLag"),
		lines("WAL on disk", "Bytes of the write-ahead log. It grows while it cannot be archived or a replication slot is not read.",
			"bytes",
			"max by (pod) (cnpg_collector_pg_wal{"+ofCluster+`, value="size"})`, "{{pod}}").whole().alert("SellerOpenAPIArchivingFails"),
		lines("Segments to be archived", "WAL segments that are not archived yet.", "short",
			"max by (pod) (cnpg_collector_pg_wal_archive_status{"+ofCluster+`, value="ready"})`, "{{pod}}").limits(3,
			10).whole().alert("SellerOpenAPIArchivingFails"),
		lines("Free on volumes", "Fraction of each volume that is free.", "percentunit",
			"min by (persistentvolumeclaim) (kubelet_volume_stats_available_bytes{"+ofCluster+"} / "+
				"kubelet_volume_stats_capacity_bytes{"+ofCluster+"})", "{{persistentvolumeclaim}}").
			lowIsBad(.15, .3).whole().alert("SellerOpenAPIVolumeFills"),
	}}
}

// tables returns the row of the largest tables. Every instance of a service reports the same.
func tables() Row {
	largest := func(what string) string { return "topk(15, max by (job, table) (" + what + "))" }
	return Row{Title: "PostgreSQL: size of the tables", Panels: []Panel{
		lines("Bytes", "Size of the largest tables, including their indexes.", "bytes",
			largest("db_table_bytes{"+ofChosen+"}"), "{{job}} {{table}}").stacked().alert("SellerOpenAPIDatabaseFillsUp"),
		lines("Growth per day", "Growth of these tables per day, at the rate of the last day.", "bytes",
			largest("86400 * deriv(db_table_bytes{"+ofChosen+"}[1d])"), "{{job}} {{table}}").alert("SellerOpenAPIDatabaseFillsUp"),
		lines("Rows", "Rows of the largest tables, as estimated by the database.", "short",
			largest("db_table_rows{"+ofChosen+"}"), "{{job}} {{table}}"),
	}}
}

func answersKept() Row {
	return Row{Title: "PostgreSQL: stored responses", Panels: []Panel{
		lines("Stored", "Idempotency keys are kept for the configured time, responses until their retention ends. Numbers of rows, "+
			"as estimated by the database.", "short",
			"max by (job, kept) (inbox_rows{"+ofChosen+"})", "{{job}} {{kept}}").alert("SellerOpenAPIInboxGrows"),
		lines("Past retention",
			"How long the oldest response has been stored beyond its retention. Above minutes the sweep does not keep up.", "s",
			`max by (job) (deadline_overdue_seconds{`+ofChosen+`, deadline="answer"})`, "{{job}}").limits(600,
			3600).alert("SellerOpenAPIInboxGrows"),
	}}
}

func redisPool() Row {
	return Row{Title: "Redis: pools", Panels: []Panel{
		lines("Connections", "Connections by state, all instances together.", "short",
			`sum by (job, state) (redis_pool_connections{`+ofChosen+`, state!="max"})`, "{{job}} {{state}}").stacked(),
		lines("In use", "Fraction of the allowed connections that is in use.", "percentunit",
			`sum by (job) (redis_pool_connections{`+ofChosen+`, state="in_use"}) / sum by (job) (redis_pool_connections{`+ofChosen+`, state="max"})`, "{{job}}").limits(.7, .9),
		lines("Pool hits", "Share of acquisitions that found an idle connection.", "percentunit",
			rate("job", "redis_pool_hits_total", ofChosen)+" / ("+rate("job", "redis_pool_hits_total", ofChosen)+" + "+rate("job",
				"redis_pool_misses_total", ofChosen)+")", "{{job}}").
			lowIsBad(.5, .9),
		lines("Timeouts and stale connections",
			"Waits for a connection that timed out, and connections that were closed because they were broken or too old.", "ops",
			rate("job", "redis_pool_timeouts_total", ofChosen), "{{job}} timeouts").
			also(rate("job", "redis_pool_stale_total", ofChosen), "{{job}} stale").alert("SellerOpenAPIRedisPoolExhausted"),
	}}
}

func redisCommands() Row {
	const duration = "redis_command_duration_seconds"
	return Row{Title: "Redis: commands", Panels: []Panel{
		lines("Commands", "Commands per second; scripts have their own names.", "ops", rate("command", duration+"_count", ofChosen),
			"{{command}}").stacked(),
		latency("Response time", "Median, 95th and 99th percentile of the duration of commands.", duration, ofChosen),
		lines("Failed", "Share of commands that failed, by command.", "percentunit",
			part("command", duration+"_count", ofChosen, `outcome="error"`), "{{command}}").limits(.001,
			.01).alert("SellerOpenAPIRedisAway"),
		lines("Memory", "Fraction of maxmemory that is in use, of the fullest server. At 1 new idempotency keys are refused.",
			"percentunit",
			"max by (job) (redis_memory_in_use_ratio{"+ofChosen+"})", "{{job}}").limits(.7, .85).alert("SellerOpenAPIRedisMemoryLow"),
	}}
}
