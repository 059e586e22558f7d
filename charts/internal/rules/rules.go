// Package rules reads the chart's Prometheus rules and their tests.
package rules

import (
	"fmt"
	"os"
	"path/filepath"

	"gopkg.in/yaml.v3"
)

// Rule is a recording rule or an alert.
type Rule struct {
	Record      string            `yaml:"record"`
	Alert       string            `yaml:"alert"`
	Expr        string            `yaml:"expr"`
	For         string            `yaml:"for"`
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations"`
}

// Rules is a list of rules.
type Rules []Rule

type groups struct {
	Groups []struct {
		Name  string `yaml:"name"`
		Rules []Rule `yaml:"rules"`
	} `yaml:"groups"`
}

// Parse returns the rules of one file's text.
func Parse(text []byte) (Rules, error) {
	var file groups
	if err := yaml.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	return file.rules(), nil
}

func (g groups) rules() Rules {
	var all Rules
	for _, group := range g.Groups {
		all = append(all, group.Rules...)
	}
	return all
}

// Read returns the rules of all files in the folder; the pattern excludes kustomization.yaml.
func Read(folder string) (Rules, error) {
	files, err := documents[groups](filepath.Join(folder, "[^k]*.yaml"))
	if err != nil {
		return nil, err
	}
	var all Rules
	for _, file := range files {
		all = append(all, file.rules()...)
	}
	return all, nil
}

// Records returns the recording rules.
func (r Rules) Records() Rules { return r.which(func(rule Rule) bool { return rule.Record != "" }) }

// Alerts returns the alerts.
func (r Rules) Alerts() Rules { return r.which(func(rule Rule) bool { return rule.Alert != "" }) }

func (r Rules) which(wanted func(Rule) bool) Rules {
	var some Rules
	for _, rule := range r {
		if wanted(rule) {
			some = append(some, rule)
		}
	}
	return some
}

// Expectation is what a test expects of an alert at one moment.
type Expectation struct {
	Alert  string `yaml:"alertname"`
	At     string `yaml:"eval_time"`
	Firing []struct {
		Labels map[string]string `yaml:"exp_labels"`
	} `yaml:"exp_alerts"`
}

// Series is an input series of a test.
type Series struct {
	Name string `yaml:"series"`
}

// Case is one test of alerts.
type Case struct {
	Name   string        `yaml:"name"`
	Tests  []Expectation `yaml:"alert_rule_test"`
	Series []Series      `yaml:"input_series"`
}

// Cases returns the tests of the folder.
func Cases(folder string) ([]Case, error) {
	files, err := documents[struct {
		Tests []Case `yaml:"tests"`
	}](filepath.Join(folder, "tests", "*_test.yaml"))
	if err != nil {
		return nil, err
	}
	var all []Case
	for _, file := range files {
		all = append(all, file.Tests...)
	}
	return all, nil
}

func documents[T any](pattern string) ([]T, error) {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("%s: no files (%w)", pattern, err)
	}
	all := make([]T, len(paths))
	for n, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if err := yaml.Unmarshal(content, &all[n]); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return all, nil
}
