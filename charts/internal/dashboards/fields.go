package dashboards

func (p Panel) fields() object {
	fields := object{"unit": p.Unit, "min": 0, "thresholds": p.thresholds(), "color": object{"mode": "thresholds"}}
	if p.Max != 0 {
		fields["max"] = p.Max
	}
	if p.Kind != Lines {
		return fields
	}
	fields["color"] = object{"mode": "palette-classic"}
	custom := object{
		"lineWidth": 1, "fillOpacity": 10, "showPoints": "never", "spanNulls": false,
		"stacking": object{"mode": "none"},
	}
	if p.Stacked {
		custom["stacking"], custom["fillOpacity"] = object{"mode": "normal"}, 40
	}
	if len(p.Limits) > 0 {
		custom["thresholdsStyle"] = object{"mode": "dashed"}
	}
	fields["custom"] = custom
	return fields
}

// thresholds returns the colours of a panel: orange and red from the limits on, or below them if LowIsBad.
func (p Panel) thresholds() object {
	colours := []string{"green", "orange", "red"}
	if len(p.Limits) == 1 {
		colours = []string{"green", "red"}
	}
	steps := make([]object, 1, 1+len(p.Limits))
	steps[0] = object{"color": colours[0], "value": nil}
	for n, limit := range p.Limits {
		steps = append(steps, object{"color": colours[min(n+1, len(colours)-1)], "value": limit})
	}
	if p.LowIsBad {
		for n := range steps {
			steps[n]["color"] = colours[max(len(p.Limits)-n, 0)]
		}
	}
	return object{"mode": "absolute", "steps": steps}
}

// options returns the options of the panel's kind, which Grafana keeps apart from the fields.
func (p Panel) options() object {
	reduce := object{"calcs": []string{"lastNotNull"}, "fields": "", "values": false}
	switch p.Kind {
	case Number:
		return object{"reduceOptions": reduce, "colorMode": "background", "graphMode": "none", "textMode": "auto"}
	case Bars:
		return object{"reduceOptions": reduce, "displayMode": "basic", "orientation": "horizontal"}
	case Table:
		return object{"showHeader": true, "cellHeight": "sm"}
	case Heatmap:
		return object{
			"calculate": false, "cellGap": 0, "yAxis": object{"unit": p.Unit},
			"color":  object{"mode": "scheme", "scheme": "Oranges", "steps": 64},
			"legend": object{"show": true}, "tooltip": object{"mode": "single"},
		}
	case Log:
		return object{
			"showTime": true, "wrapLogMessage": true, "prettifyLogMessage": true, "enableLogDetails": true, "sortOrder": "Ascending",
			"dedupStrategy": "none",
		}
	case Lines:
	}
	return object{
		"legend": object{
			"displayMode": "table", "placement": "bottom", "showLegend": true,
			"calcs": []string{"mean", "max", "lastNotNull"},
		},
		"tooltip": object{"mode": "multi", "sort": "desc"},
	}
}
