package dashboards

import (
	"strings"

	"sellerapi.dev/pkg/telemetry"
)

// byRequest is the variable for the X-Request-Id of a response, which a seller's complaint usually names.
const byRequest = "$request_id"

// byNumber is the variable for the number of an order or a claim, or the id of an inquiry, which it may name instead.
const byNumber = "$number"

// support returns the dashboard with what is known of one call: its lines in the logs of all services and its trace. It also
// shows the calls for one order, claim or inquiry, and their traces.
func support() Dashboard {
	return Dashboard{
		Name: "support", Title: "Seller Open API: one call, one order",
		Description: "Logs and trace of a call, by the X-Request-Id of its response, and of all calls for an order, a claim or an " +
			"inquiry, by its number. Logs are read from Loki, traces from Tempo.", Support: true,
		Rows: []Row{
			{Title: "Logs", Height: 12, Panels: []Panel{
				lines("Lines of the call",
					"Log lines of each service for the call; `error_code` and `error` contain the reason of a refusal or failure.", "short",
					`{namespace=~"$namespace"} |= `+"`"+byRequest+"`"+` | json | request_id=`+"`"+byRequest+"`", "").kind(Log).from(Logs),
			}},
			{Title: "One order, claim or inquiry", Height: 12, Panels: []Panel{
				lines("Calls for the order",
					"Every call that found the order, claim or inquiry, and its caller; `request_id` identifies the call. Calls of the "+
						"marketplace and between services are those with a `procedure`.", "short",
					`{namespace=~"$namespace"} |= `+"`"+byNumber+"`"+` | json | `+anyNumber(func(name string) string {
						return name + "=`" + byNumber + "` or " + name + "s=~`(.+,)?${number:regex}(,.+)?`"
					}, " or "), "").kind(Log).from(Logs),
			}},
			{Title: "Traces", Panels: []Panel{
				lines("Traces of the call",
					"Its spans, from the gateway to the statements. Only a fraction of all calls is traced, see telemetry.traceSampleRatio "+
						"of the chart.", "short",
					`{ span.request_id = "`+byRequest+`" }`, "").kind(Table).from(Traces),
				lines("Traces of the order", "The traced calls and background jobs that concerned the order, claim or inquiry.", "short",
					"{ "+anyNumber(func(name string) string { return "span." + name + ` = "` + byNumber + `"` }, " || ")+" }",
					"").kind(Table).from(Traces),
			}},
		},
	}
}

func anyNumber(condition func(name string) string, or string) string {
	names := telemetry.NumberNames()
	conditions := make([]string, len(names))
	for n, name := range names {
		conditions[n] = condition(name)
	}
	return strings.Join(conditions, or)
}

// Source is the kind of data source that a panel queries.
type Source string

// The kinds that are used, by Grafana's names.
const (
	Metrics Source = "prometheus"
	Logs    Source = "loki"
	Traces  Source = "tempo"
)

// from returns the panel with another source than Prometheus. It cannot be split by pod.
func (p Panel) from(s Source) Panel { p.Source, p.Whole = s, true; return p }

// variables has the names of the variables of data sources, by kind. Each dashboard has those that its panels query.
var variables = map[Source]string{Metrics: "datasource", Logs: "logs", Traces: "traces"}

func (s Source) object() object {
	return object{"type": string(s), "uid": "${" + variables[s] + "}"}
}

func (s Source) choice(label string) object {
	return object{"name": variables[s], "label": label, "type": "datasource", "query": string(s), "hide": 0}
}

func (s Source) target(query Query) object {
	target := object{"refId": "A", "datasource": s.object()}
	if s == Traces {
		target["query"], target["queryType"], target["tableType"], target["limit"] = query.Expr, "traceql", "traces", 20
		return target
	}
	target["expr"], target["queryType"], target["editorMode"] = query.Expr, "range", "code"
	return target
}

func supportVariables() []object {
	return []object{
		Metrics.choice("Data source"), Logs.choice("Logs"), Traces.choice("Traces"), namespaces(),
		typed("request_id", "X-Request-Id"), typed("number", "Number of the order or claim, id of the inquiry"),
	}
}

// nothing is the initial value of the text boxes. An empty value would match every log line without the field.
const nothing = "-"

func typed(name, label string) object {
	return object{
		"name": name, "label": label, "type": "textbox", "query": nothing,
		"current": object{"text": nothing, "value": nothing},
	}
}
