package dashboards_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/charts/internal/dashboards"
	"sellerapi.dev/charts/internal/rules"
	"sellerapi.dev/charts/internal/vocabulary"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

func TestIdentifiersAreUnique(t *testing.T) {
	t.Parallel()
	uids := map[string]bool{}
	for name, f := range read(t) {
		require.False(t, uids[f.UID], "%s: uid %s is used twice", name, f.UID)
		require.LessOrEqual(t, len(f.UID), 40, "%s: Grafana allows 40 characters", name)
		uids[f.UID] = true
		ids, titles := map[int]bool{}, map[string]bool{}
		row := ""
		for _, p := range f.Panels {
			require.False(t, ids[p.ID], "%s: id %d is used twice", name, p.ID)
			ids[p.ID] = true
			if p.Type == "row" {
				row = p.Title
			}
			require.False(t, titles[row+p.Title], "%s: %s: %q is there twice", name, row, p.Title)
			titles[row+p.Title] = true
		}
	}
}

// Panels do not overlap and stay on the grid of 24 columns.
func TestPanels_onGridWithoutOverlap(t *testing.T) {
	t.Parallel()
	type cell struct{ x, y int }
	for name, f := range read(t) {
		taken := map[cell]string{}
		for _, p := range f.Panels {
			require.Positive(t, p.Place.W, "%s: %s", name, p.Title)
			require.LessOrEqual(t, p.Place.X+p.Place.W, 24, "%s: %s ends beyond the edge", name, p.Title)
			for x := p.Place.X; x < p.Place.X+p.Place.W; x++ {
				for y := p.Place.Y; y < p.Place.Y+p.Place.H; y++ {
					require.Empty(t, taken[cell{x, y}], "%s: %s lies on another panel", name, p.Title)
					taken[cell{x, y}] = p.Title
				}
			}
		}
	}
}

func TestPanels_titleUnitAndDatasource(t *testing.T) {
	t.Parallel()
	units := []string{"reqps", "ops", "s", "percentunit", "short", "bytes"}
	sentence := regexp.MustCompile(`^[A-Z0-9].*[.]$`)
	for name, f := range read(t) {
		require.Regexp(t, sentence, f.Description, name)
		for _, p := range f.Panels {
			if p.Type == "row" || !p.ofMetrics() {
				continue
			}
			at := name + ": " + p.Title
			require.Regexp(t, sentence, p.Description, at)
			require.Contains(t, units, p.FieldConfig.Defaults.Unit, at)
			require.Equal(t, "${datasource}", p.Datasource.UID, at)
			require.NotEmpty(t, p.Targets, at)
			refs := map[string]bool{}
			for _, target := range p.Targets {
				require.Equal(t, "${datasource}", target.Datasource.UID, at)
				require.NotEmpty(t, target.Legend, at)
				require.False(t, refs[target.RefID], "%s: two queries %s", at, target.RefID)
				refs[target.RefID] = true
			}
		}
	}
}

// Every variable in an expression is defined by its dashboard or built into Grafana.
func TestExpressions_useDefinedVariables(t *testing.T) {
	t.Parallel()
	variable := regexp.MustCompile(`\$(\w+)`)
	for name, f := range read(t) {
		defined := map[string]bool{"__rate_interval": true, "__range": true}
		for _, v := range f.Templating.List {
			defined[v.Name] = true
		}
		for _, expr := range expressions(f) {
			for _, found := range variable.FindAllStringSubmatch(expr, -1) {
				require.True(t, defined[found[1]], "%s: %s: %s", name, found[1], expr)
			}
		}
	}
}

func TestExpressions_useExportedMetrics(t *testing.T) {
	t.Parallel()
	v, err := vocabulary.New(telemetrytest.Discard(t).Registry)
	require.NoError(t, err)
	all, err := rules.Read("../../seller-open-api/alerts")
	require.NoError(t, err)
	for _, record := range all.Records() {
		v.Record(record.Record, "namespace", "class", "seller")
	}
	for name, f := range read(t) {
		for _, expr := range expressions(f) {
			require.NoError(t, v.Check(expr), name)
		}
	}
}

// No panel draws a meaningless number, whatever is selected for "Lines by".
func TestPanels_misleadNobody(t *testing.T) {
	t.Parallel()
	stacked := 0
	for name, f := range read(t) {
		for _, p := range f.Panels {
			if !p.ofMetrics() {
				continue
			}
			drawn := vocabulary.Drawn(p.FieldConfig.Defaults.Custom.Stacking.Mode == "normal")
			for _, target := range p.Targets {
				require.NoError(t, vocabulary.Misleading(target.Expr, drawn), "%s: %s", name, p.Title)
			}
			if drawn == vocabulary.Stacked {
				stacked++
			}
		}
	}
	require.Positive(t, stacked)
}

func TestPanels_showEveryMetric(t *testing.T) {
	t.Parallel()
	var shown []string
	for _, f := range read(t) {
		for _, expr := range expressions(f) {
			names, err := vocabulary.Selectors(expr)
			require.NoError(t, err)
			shown = append(shown, names...)
		}
	}
	for _, metric := range telemetry.Catalogue() {
		require.True(t, slices.ContainsFunc(shown, func(name string) bool {
			return name == metric.Name || name == metric.Name+"_bucket" || name == metric.Name+"_count"
		}), "no panel shows %s", metric.Name)
	}
}

func TestPanels_runbookLinksResolve(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("../../seller-open-api/alerts/RUNBOOK.md")
	require.NoError(t, err)
	headings := regexp.MustCompile(`(?m)^## .+$`).FindAllString(strings.ToLower(string(content)), -1)
	for name, f := range read(t) {
		for _, p := range f.Panels {
			for _, link := range p.Links {
				_, anchor, found := strings.Cut(link.URL, "#")
				require.True(t, found, name)
				require.Contains(t, headings, "## "+anchor, "%s: %s", name, p.Title)
			}
		}
	}
}

func expressions(f file) []string {
	var all []string
	for _, annotation := range f.Annotations.List {
		all = append(all, annotation.Expr)
	}
	for _, p := range f.Panels {
		if p.ofMetrics() {
			for _, target := range p.Targets {
				all = append(all, target.Expr)
			}
		}
	}
	return all
}

// A heat map has a row for each bound; with a second label, the rows of the pods would overlap.
func TestPanels_heatmapsHaveBoundsAlone(t *testing.T) {
	t.Parallel()
	seen := 0
	for name, f := range read(t) {
		for _, p := range f.Panels {
			if p.Type != string(dashboards.Heatmap) {
				continue
			}
			seen++
			for _, target := range p.Targets {
				require.Contains(t, target.Expr, "sum by (le) (", "%s: %s", name, p.Title)
				require.Equal(t, "{{le}}", target.Legend, "%s: %s", name, p.Title)
			}
		}
	}
	require.Positive(t, seen)
}
