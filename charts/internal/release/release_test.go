package release

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var one = "sha256:" + strings.Repeat("1", 64)

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
