package release

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
)

var (
	one = "sha256:" + strings.Repeat("1", 64)
	two = "sha256:" + strings.Repeat("2", 64)
)

func folder(t *testing.T) string {
	t.Helper()
	chart := t.TempDir()
	write := func(file, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(chart, file), []byte(text), 0o600))
	}
	write("values.yaml", "image:\n  # Where.\n  registry: registry.example.com\n  tag: \"\"\n  digests: {}\ngateway: {}\n")
	write("Chart.yaml", "annotations:\n  artifacthub.io/images: |\n    - name: gateway\n      image: "+
		"registry.example.com/gateway:1\n"+
		"    - name: orders\n      image: registry.example.com/orders:1\n")
	return chart
}

func text(t *testing.T, chart, file string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(chart, file))
	require.NoError(t, err)
	return string(content)
}

// The values and the list for scanners name the images, everything else is unchanged, and all files get the given time.
func TestPin_namesImagesByDigest(t *testing.T) {
	t.Parallel()
	chart := folder(t)
	require.NoError(t, Pin(chart, []string{
		"localhost:5000/shop/orders@" + two,
		"localhost:5000/shop/gateway@" + one,
	}, time.Unix(7, 0)))
	require.Equal(t, "image:\n  # Where.\n  registry: localhost:5000/shop\n  tag: \"\"\n  digests:\n    gateway: "+one+"\n"+
		"    orders: "+two+
		"\ngateway: {}\n", text(t, chart, "values.yaml"))
	require.Equal(t, "annotations:\n  artifacthub.io/images: |\n    - name: gateway\n      image: localhost:5000/shop/gateway@"+one+
		"\n    - name: orders\n      image: localhost:5000/shop/orders@"+two+"\n", text(t, chart, "Chart.yaml"))
	for _, file := range []string{"values.yaml", "Chart.yaml"} {
		info, err := os.Stat(filepath.Join(chart, file))
		require.NoError(t, err)
		require.Equal(t, int64(7), info.ModTime().Unix(), file)
	}
}

// Pin fails when not every image of the chart would be named by digest.
func TestPin_refusesImages(t *testing.T) {
	t.Parallel()
	const place = "registry.example.com/shop/"
	for want, images := range map[string][]string{
		"a digest must contain":     {place + "gateway:1", place + "orders@" + two},
		"the release has [gateway]": {place + "gateway@" + one},
		"is not in":                 {place + "gateway@" + one, "registry.example.com/orders@" + two},
		"is listed twice":           {place + "gateway@" + one, place + "gateway@" + two},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			require.ErrorContains(t, Pin(folder(t), images, time.Unix(0, 0)), want)
		})
	}
}

// The chart of this repository has the lines that Pin edits, for every service.
func TestPin_editsChartOfRepository(t *testing.T) {
	t.Parallel()
	chart := t.TempDir()
	require.NoError(t, os.CopyFS(chart, os.DirFS("../../seller-open-api")))
	images := make([]string, 0, 1+len(operation.Services()))
	images = append(images, "registry.example.com/gateway@"+one)
	for _, service := range operation.Services() {
		images = append(images, "registry.example.com/"+string(service)+"@"+one)
	}
	require.NoError(t, Pin(chart, images, time.Unix(0, 0)))
	require.Contains(t, text(t, chart, "values.yaml"), "\n    qna: "+one+"\n")
}

// A tag may refer to another base image later, so only references by digest are accepted.
func TestOCIMaterial_refusesTag(t *testing.T) {
	t.Parallel()
	_, err := ociMaterial("registry.example.com/base:nonroot")
	require.Error(t, err)
	base, err := ociMaterial("registry.example.com/base:nonroot@" + one)
	require.NoError(t, err)
	require.Equal(t, "pkg:oci/base@sha256%3A"+one[7:]+"?repository_url=registry.example.com%2Fbase", base.URI)
	require.Equal(t, map[string]string{"sha256": one[7:]}, base.Digest)
}

// The predicate has the fields of SLSA 1, with commit, base image and each module once.
func TestProvenance_predicate(t *testing.T) {
	t.Parallel()
	base, err := ociMaterial("registry.example.com/base@" + one)
	require.NoError(t, err)
	module := `{"externalRefs": [{"referenceLocator": "pkg:golang/example.com/m@v1.0.0"}],
		"checksums": [{"algorithm": "SHA256", "checksumValue": "AB"}]}`
	folder := `{"externalRefs": [{"referenceLocator": "pkg:golang/example.com/here@(devel)"}]}`
	document := []byte(`{"packages": [` + module + `,` + folder + `]}`)
	predicate, err := Provenance(Build{
		Source: "https://example.com", Commit: "abc", Package: "./cmd/x", Version: "1.2.3", Builder: "https://example.com/builder",
		Ldflags: "-s", Environment: map[string]string{"GOFLAGS": "-trimpath"}, Tools: map[string]string{"ko": "v1"},
		Started: time.Unix(0, 0), Finished: time.Unix(1, 0), SBOMs: map[string][]byte{"b": document, "a": document},
	}, Image{Base: base, Platforms: []Platform{{Name: "linux/amd64"}}})
	require.NoError(t, err)
	got, err := json.Marshal(predicate)
	require.NoError(t, err)
	require.JSONEq(t, `{
		"buildDefinition": {
			"buildType": "`+BuildType+`",
			"externalParameters": {"source": "https://example.com", "commit": "abc", "package": "./cmd/x", "version": "1.2.3",
				"baseImage": "registry.example.com/base@`+one+`", "platforms": ["linux/amd64"]},
			"internalParameters": {"ldflags": "-s", "environment": {"GOFLAGS": "-trimpath"}},
			"resolvedDependencies": [
				{"uri": "git+https://example.com@abc", "digest": {"gitCommit": "abc"}},
				{"uri": "`+base.URI+`", "name": "registry.example.com/base@`+one+`", "digest": {"sha256": "`+one[7:]+`"}},
				{"uri": "pkg:golang/example.com/m@v1.0.0", "digest": {"dirHash": "ab"}}]},
		"runDetails": {
			"builder": {"id": "https://example.com/builder", "version": {"ko": "v1"}},
			"metadata": {"startedOn": "1970-01-01T00:00:00Z", "finishedOn": "1970-01-01T00:00:01Z"},
			"byproducts": [{"name": "a", "digest": {"sha256": "SUM"}}, {"name": "b", "digest": {"sha256": "SUM"}}]}}`,
		strings.ReplaceAll(string(got), predicate.RunDetails.Byproducts[0].Digest["sha256"], "SUM"))
	require.Len(t, predicate.RunDetails.Byproducts[0].Digest["sha256"], 64)
}
