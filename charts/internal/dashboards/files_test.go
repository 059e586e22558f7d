package dashboards_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/charts/internal/dashboards"
)

var update = flag.Bool("update", false, "rewrite the files of the chart")

const folder = "../../seller-open-api/dashboards"

// The folder holds exactly the dashboard files and the kustomization that are rendered from the tables.
func TestDashboardFiles_renderedFromTables(t *testing.T) {
	t.Parallel()
	all := dashboards.All()
	want := make([]string, 1, 1+len(all))
	want[0] = "kustomization.yaml"
	for _, dashboard := range all {
		file := filepath.Join(folder, dashboard.Name+".json")
		rendered, err := dashboards.Render(dashboard)
		require.NoError(t, err)
		if *update {
			require.NoError(t, os.WriteFile(file, rendered, 0o600))
		}
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(rendered), string(content), "run make generate")
		want = append(want, filepath.Base(file))
	}
	kustomization := filepath.Join(folder, want[0])
	if *update {
		require.NoError(t, os.WriteFile(kustomization, dashboards.Kustomization(), 0o600))
	}
	content, err := os.ReadFile(kustomization)
	require.NoError(t, err)
	require.Equal(t, string(dashboards.Kustomization()), string(content), "run make generate")
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	names := make([]string, len(entries))
	for n, entry := range entries {
		names[n] = entry.Name()
	}
	require.ElementsMatch(t, want, names, "a file without a dashboard")
}

type file struct {
	UID         string `json:"uid"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Templating  struct {
		List []struct {
			Name string `json:"name"`
		} `json:"list"`
	} `json:"templating"`
	Annotations struct {
		List []struct {
			Name string `json:"name"`
			Expr string `json:"expr"`
		} `json:"list"`
	} `json:"annotations"`
	Panels []panel `json:"panels"`
}

type panel struct {
	ID          int                      `json:"id"`
	Type        string                   `json:"type"`
	Title       string                   `json:"title"`
	Description string                   `json:"description"`
	Datasource  datasource               `json:"datasource"`
	Place       struct{ X, Y, W, H int } `json:"gridPos"`
	FieldConfig struct {
		Defaults struct {
			Unit   string `json:"unit"`
			Custom struct {
				Stacking struct {
					Mode string `json:"mode"`
				} `json:"stacking"`
			} `json:"custom"`
		} `json:"defaults"`
	} `json:"fieldConfig"`
	Targets []struct {
		RefID      string     `json:"refId"`
		Expr       string     `json:"expr"`
		Query      string     `json:"query"`
		Legend     string     `json:"legendFormat"`
		Datasource datasource `json:"datasource"`
	} `json:"targets"`
	Links []struct {
		URL string `json:"url"`
	} `json:"links"`
}

type datasource struct {
	Type string `json:"type"`
	UID  string `json:"uid"`
}

func (p panel) ofMetrics() bool { return p.Datasource.Type == string(dashboards.Metrics) }

func read(t *testing.T) map[string]file {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	files := map[string]file{}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		var f file
		require.NoError(t, json.Unmarshal(content, &f))
		files[strings.TrimSuffix(filepath.Base(path), ".json")] = f
	}
	return files
}
