package dashboards

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sellerapi.dev/pkg/telemetry"
)

const (
	columns       = 24
	defaultHeight = 8
)

// source is the Prometheus that is selected at the top of the dashboard.
var source = Metrics.object()

// object is a JSON object; its members are written in alphabetical order, so that a file changes only where its table does.
type object map[string]any

// Render returns the JSON file of a dashboard.
func Render(d Dashboard) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(d.render()); err != nil {
		return nil, fmt.Errorf("render dashboard %s: %w", d.Name, err)
	}
	return out.Bytes(), nil
}

func (d Dashboard) render() object {
	return object{
		"uid":           "seller-open-api-" + d.Name,
		"title":         d.Title,
		"description":   d.Description,
		"tags":          []string{"seller-open-api"},
		"schemaVersion": 39,
		"editable":      false,
		"graphTooltip":  1, // one crosshair for all panels
		"refresh":       "30s",
		"timezone":      "browser",
		"time":          object{"from": "now-3h", "to": "now"},
		"templating":    object{"list": d.variables()},
		"annotations":   object{"list": []object{rollouts(), releases()}},
		"links": []object{{
			"title": "Seller Open API", "type": "dashboards", "tags": []string{"seller-open-api"}, "asDropdown": true,
			"keepTime": true, "includeVars": true,
		}},
		"panels": d.panels(),
	}
}

func (d Dashboard) variables() []object {
	if d.Support {
		return supportVariables()
	}
	list := []object{
		Metrics.choice("Data source"),
		namespaces(),
		choice("pod", "Pod", `label_values(build_info{job=~"seller-open-api-.+", namespace=~"$namespace"}, pod)`),
		splits(),
	}
	if d.Services {
		list = append(list, choice("job", "Service", `label_values(build_info{job=~"seller-open-api-.+"}, job)`))
	}
	return list
}

func namespaces() object {
	return choice("namespace", "Namespace", `label_values(build_info{job=~"seller-open-api-.+"}, namespace)`)
}

// choice returns a variable with the values of a label. "All" is the pattern .*, which also matches series without the label.
func choice(name, label, query string) object {
	return object{
		"name": name, "label": label, "type": "query", "datasource": source,
		"query": object{"query": query, "refId": name}, "definition": query,
		"refresh": 2, "sort": 1, "multi": true, "includeAll": true, "allValue": ".*",
		"current": object{"text": "All", "value": "$__all"},
	}
}

// splits returns the variable by which lines are also split: with one line for each pod, a single bad pod is visible.
func splits() object {
	option := func(text, value string, selected bool) object {
		return object{"text": text, "value": value, "selected": selected}
	}
	return object{
		"name": "split", "label": "Lines by", "type": "custom", "query": "service : job,pod : pod",
		"current": option("service", "job", true), "options": []object{option("service", "job", true), option("pod", "pod", false)},
	}
}

var grouping = regexp.MustCompile(`\bby \(([^)]*)\)`)

// split adds the variable $split to every aggregation that names its labels.
func split(expr string) string {
	return grouping.ReplaceAllStringFunc(expr, func(found string) string {
		labels := grouping.FindStringSubmatch(found)[1]
		if labels == "" {
			return "by ($split)"
		}
		return "by (" + labels + ", $split)"
	})
}

var word = regexp.MustCompile(`[a-z_]+`)

// overShared reports whether an expression uses a metric of which every pod reports the same value. Splitting it by pod would
// show no difference, and its sums and stacks would grow with the number of pods.
func overShared(expr string) bool {
	return slices.ContainsFunc(word.FindAllString(expr, -1), func(name string) bool {
		return slices.ContainsFunc(telemetry.Catalogue(), func(metric telemetry.Metric) bool {
			return metric.Shared &&
				metric.Name == name
		})
	})
}

func releases() object {
	const versions = `count by (namespace, job, version) (build_info{job=~"seller-open-api-.+", namespace=~"$namespace"}%s)`
	return object{
		"name": "Releases", "datasource": source, "enable": true, "iconColor": "purple", "step": "60s",
		"expr":        fmt.Sprintf(versions, "") + " unless " + fmt.Sprintf(versions, " offset 5m"),
		"titleFormat": "{{job}} {{version}}", "textFormat": "{{namespace}}", "tagKeys": "job,version",
	}
}

// rollouts returns the annotation that marks starts of instances: containers that restarted in their pod, and new pods.
func rollouts() object {
	const started = `process_start_time_seconds{job=~"seller-open-api-.+", namespace=~"$namespace"}`
	return object{
		"name": "Starts", "datasource": source, "enable": true, "iconColor": "blue", "step": "60s",
		"expr":        fmt.Sprintf("changes(%[1]s[2m]) > 0 or (%[1]s unless %[1]s offset 2m)", started),
		"titleFormat": "{{job}} started", "textFormat": "{{pod}}", "tagKeys": "job",
	}
}

func (d Dashboard) panels() []object {
	var all []object
	id, y := 0, 0
	next := func() int { id++; return id }
	for _, row := range d.Rows {
		all = append(all, object{
			"id": next(), "type": "row", "title": row.Title, "collapsed": false, "panels": []object{},
			"gridPos": object{"x": 0, "y": y, "w": columns, "h": 1},
		})
		y++
		height := row.Height
		if height == 0 {
			height = defaultHeight
		}
		for n, place := range places(row.Panels) {
			panel := row.Panels[n].render()
			panel["id"] = next()
			panel["gridPos"] = object{"x": place.x, "y": y, "w": place.width, "h": height}
			all = append(all, panel)
		}
		y += height
	}
	return all
}

// place is the position of a panel in its line, in columns.
type place struct{ x, width int }

// places divides a line by the panels' shares; the last panel gets what rounding leaves.
func places(panels []Panel) []place {
	shares := 0
	for _, panel := range panels {
		shares += max(panel.Width, 1)
	}
	all := make([]place, len(panels))
	x := 0
	for n, panel := range panels {
		width := columns * max(panel.Width, 1) / shares
		if n == len(panels)-1 {
			width = columns - x
		}
		all[n] = place{x, width}
		x += width
	}
	return all
}

const runbook = "https://sellerapi.dev/charts/seller-open-api/alerts/RUNBOOK.md"

func (p Panel) render() object {
	if p.Kind == "" {
		p.Kind = Lines
	}
	if p.Source == "" {
		p.Source = Metrics
	}
	panel := object{
		"type": string(p.Kind), "title": p.Title, "description": p.Help, "datasource": p.Source.object(),
		"targets": p.targets(), "fieldConfig": object{"defaults": p.fields(), "overrides": []object{}}, "options": p.options(),
	}
	if p.Kind == Table && p.Source == Metrics {
		panel["transformations"] = []object{{"id": "organize", "options": object{"excludeByName": object{"Time": true}}}}
	}
	if p.Alert != "" {
		panel["links"] = []object{{
			"title": "Runbook: " + p.Alert, "url": runbook + "#" + strings.ToLower(p.Alert), "targetBlank": true,
		}}
	}
	return panel
}

func (p Panel) targets() []object {
	targets := make([]object, 0, len(p.Queries))
	for n, query := range p.Queries {
		if p.Source != Metrics {
			targets = append(targets, p.Source.target(query))
			continue
		}
		if !p.Whole && p.Kind != Heatmap && grouping.MatchString(query.Expr) && !overShared(query.Expr) {
			query.Expr, query.Legend = split(query.Expr), query.Legend+" {{pod}}"
		}
		target := object{
			"refId": string(rune('A' + n)), "datasource": source, "expr": query.Expr, "legendFormat": query.Legend,
			"editorMode": "code", "range": true,
		}
		switch p.Kind {
		case Table, Bars, Number:
			target["instant"], target["range"] = true, false
		case Heatmap:
			target["format"] = "heatmap"
		case Lines, Log:
		}
		if p.Kind == Table {
			target["format"] = "table"
		}
		if strings.Contains(query.Expr, "http_request_duration_seconds_bucket") {
			target["exemplar"] = true // the link from a slow bucket to a trace
		}
		targets = append(targets, target)
	}
	return targets
}
