//go:build release

package releasetest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/stretchr/testify/require"
)

// A release is built once, looked at from all sides, and built again elsewhere.
func TestRelease(t *testing.T) {
	t.Parallel()
	w := set(t)
	out := filepath.Join(t.TempDir(), "release")
	log, err := w.release(t, w.source, out)
	require.NoError(t, err, log)
	images := lines(t, filepath.Join(out, "images.txt"))
	services := strings.Fields(run(t, w.source, nil, ".ci/services"))
	require.Len(t, images, len(services))
	for _, service := range services {
		require.Contains(t, strings.Join(images, "\n")+"\n", w.registry+"/shop/"+service+"@sha256:")
	}

	t.Run("images", func(t *testing.T) { requireImages(t, w, images) })
	t.Run("signatures", func(t *testing.T) { requireSignatures(t, w, images) })
	t.Run("provenance", func(t *testing.T) { requireProvenance(t, w, images, out) })
	t.Run("SBOM", func(t *testing.T) { requireSBOMs(t, w, images, out) })
	t.Run("chart", func(t *testing.T) { requireChart(t, images, out) })
	t.Run("sums", func(t *testing.T) { requireSums(t, w, out) })
	t.Run("refusals", func(t *testing.T) { requireRefusals(t, w) })
	t.Run("again", func(t *testing.T) { requireReproduced(t, w, images) })
}

// Each index has an image for each architecture, on the base image, with labels that say what it is.
func requireImages(t *testing.T, w world, images []string) {
	t.Helper()
	epoch := strings.TrimSpace(run(t, w.source, nil, "git", "log", "-1", "--format=%ct"))
	for _, image := range images {
		index, manifest := pulled(t, image)
		require.Equal(t, w.base[strings.Index(w.base, "@")+1:], manifest.Annotations["org.opencontainers.image.base.digest"])
		found := make([]string, 0, len(architectures))
		for _, entry := range manifest.Manifests {
			require.Equal(t, "linux", entry.Platform.OS)
			found = append(found, entry.Platform.Architecture)
			part, err := index.Image(entry.Digest)
			require.NoError(t, err)
			config, err := part.ConfigFile()
			require.NoError(t, err)
			require.Equal(t, entry.Platform.Architecture, config.Architecture)
			require.Equal(t, version, config.Config.Labels["org.opencontainers.image.version"])
			require.Equal(t, w.commit, config.Config.Labels["org.opencontainers.image.revision"])
			require.Equal(t, "https://sellerapi.dev", config.Config.Labels["org.opencontainers.image.source"])
			require.Equal(t, epoch, jsonText(t, config.Created.Unix()))
			require.Equal(t, "65532:65532", config.Config.User)
		}
		require.ElementsMatch(t, architectures, found)
	}
}

// pulled reads an index from the registry.
func pulled(t *testing.T, image string) (v1.ImageIndex, *v1.IndexManifest) {
	t.Helper()
	reference, err := name.NewDigest(image)
	require.NoError(t, err)
	index, err := remote.Index(reference)
	require.NoError(t, err)
	manifest, err := index.IndexManifest()
	require.NoError(t, err)
	return index, manifest
}

// parts are an index and the images in it.
func parts(t *testing.T, image string) []string {
	t.Helper()
	_, manifest := pulled(t, image)
	repository, _, _ := strings.Cut(image, "@")
	all := []string{image}
	for _, entry := range manifest.Manifests {
		all = append(all, repository+"@"+entry.Digest.String())
	}
	return all
}

// Index and images are signed with the key of the release. Another key, and an image that was changed after it was signed, are refused.
func requireSignatures(t *testing.T, w world, images []string) {
	t.Helper()
	for _, image := range images {
		for _, part := range parts(t, image) {
			run(t, ".", nil, "cosign", verify(w.public(), part)...)
		}
	}
	_, err := try(t, ".", nil, "cosign", verify(w.stranger, images[0])...)
	require.Error(t, err)

	changed := changedImage(t, images[0])
	_, err = try(t, ".", nil, "cosign", verify(w.public(), changed)...)
	require.Error(t, err)
	copySignature(t, images[0], changed)
	said, err := try(t, ".", nil, "cosign", verify(w.public(), changed)...)
	require.Error(t, err)
	require.Contains(t, said, "digest")
}

// public is the key that those who install a release are given.
func (w world) public() string { return strings.TrimSuffix(w.key, ".key") + ".pub" }

// verify are the arguments of cosign that the chart's README shows.
func verify(key, image string) []string {
	return []string{"verify", "--key", key, "--insecure-ignore-tlog=true", image}
}

// changedImage pushes an index that differs from a signed one by an annotation.
func changedImage(t *testing.T, image string) string {
	t.Helper()
	index, _ := pulled(t, image)
	other, ok := mutate.Annotations(index, map[string]string{"changed": "yes"}).(v1.ImageIndex)
	require.True(t, ok)
	digest, err := other.Digest()
	require.NoError(t, err)
	repository, _, _ := strings.Cut(image, "@")
	reference, err := name.NewDigest(repository + "@" + digest.String())
	require.NoError(t, err)
	require.NoError(t, remote.WriteIndex(reference, other))
	return reference.Name()
}

// copySignature stores the signature of one image as that of another.
func copySignature(t *testing.T, from, to string) {
	t.Helper()
	source, err := name.NewTag(strings.Replace(from, "@sha256:", ":sha256-", 1) + ".sig")
	require.NoError(t, err)
	signature, err := remote.Image(source)
	require.NoError(t, err)
	target, err := name.NewTag(strings.Replace(to, "@sha256:", ":sha256-", 1) + ".sig")
	require.NoError(t, err)
	require.NoError(t, remote.Write(target, signature))
}

// The statement says what was built of which commit, base image and modules, and the file in the release says the same.
func requireProvenance(t *testing.T, w world, images []string, out string) {
	t.Helper()
	for _, image := range images {
		var written any
		require.NoError(t, json.Unmarshal(read(t, filepath.Join(out, "provenance", serviceOf(image)+".json")), &written))
		for _, part := range parts(t, image) {
			statement := attested(t, w.public(), "slsaprovenance1", part)
			require.Equal(t, "https://slsa.dev/provenance/v1", statement.PredicateType)
			require.Equal(t, written, statement.Predicate)
			require.Len(t, statement.Subject, 1)
			require.Equal(t, part[strings.Index(part, "sha256:")+len("sha256:"):], statement.Subject[0].Digest["sha256"])
		}
		said := jsonText(t, written)
		for _, fact := range []string{
			`"gitCommit":"` + w.commit + `"`, `"commit":"` + w.commit + `"`, `"version":"` + version + `"`,
			`"package":"./services/` + serviceOf(image) + `/cmd/` + serviceOf(image) + `"`,
			`"sha256":"` + w.base[strings.Index(w.base, "sha256:")+len("sha256:"):] + `"`,
			`"platforms":["linux/amd64","linux/arm64"]`, `pkg:golang/github.com/jackc/pgx/v5@`, `"dirHash":"`,
			`"id":"https://sellerapi.dev/builders/make-release"`, `"ko":"v`, `"go":"go1.`, `-X sellerapi.dev/pkg/service.version=` + version,
		} {
			require.Contains(t, said, fact)
		}
	}
	_, err := try(t, ".", nil, "cosign", verifyAttestation(w.stranger, "slsaprovenance1", images[0])...)
	require.Error(t, err)
}

// statement is what was attested of an image.
type statement struct {
	PredicateType string `json:"predicateType"`
	Subject       []struct{ Digest map[string]string }
	Predicate     any
}

// verifyAttestation are the arguments of cosign that the chart's README shows.
func verifyAttestation(key, kind, image string) []string {
	return []string{"verify-attestation", "--key", key, "--insecure-ignore-tlog=true", "--type", kind, image}
}

// attested is the one statement of a kind, verified.
func attested(t *testing.T, key, kind, image string) statement {
	t.Helper()
	var envelope struct{ Payload string }
	require.NoError(t, json.Unmarshal([]byte(run(t, ".", nil, "cosign", verifyAttestation(key, kind, image)...)), &envelope))
	payload, err := base64.StdEncoding.DecodeString(envelope.Payload)
	require.NoError(t, err)
	var s statement
	require.NoError(t, json.Unmarshal(payload, &s))
	return s
}

// The SBOM of an image names the modules that its program is made of, that of an index names its images.
func requireSBOMs(t *testing.T, w world, images []string, out string) {
	t.Helper()
	for _, image := range images {
		all := parts(t, image)
		for n, suffix := range []string{"index", "linux-amd64", "linux-arm64"} {
			text := string(read(t, filepath.Join(out, "sbom", serviceOf(image)+"-"+suffix+".spdx.json")))
			require.Contains(t, text, all[n][strings.Index(all[n], "sha256:"):])
			require.Contains(t, jsonText(t, attested(t, w.public(), "spdxjson", all[n]).Predicate), all[n][strings.Index(all[n], "sha256:"):])
			if n == 0 {
				continue
			}
			for _, module := range []string{"sellerapi.dev/services/" + serviceOf(image), "github.com/jackc/pgx/v5", "go.opentelemetry.io/otel"} {
				require.Contains(t, text, `"`+module+`"`)
			}
		}
	}
}

// Every container of the packed chart, whichever values it is given, has one of the released images by digest.
func requireChart(t *testing.T, images []string, out string) {
	t.Helper()
	packed := filepath.Join(out, "seller-open-api-"+version+".tgz")
	rendered := run(t, ".", nil, "helm", "template", "soa", packed, "--values", "../seller-open-api/ci/minimal-values.yaml")
	found := map[string]bool{}
	for line := range strings.Lines(rendered) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "- ")), "image: "); ok {
			found[strings.Trim(text, `"`)] = true
		}
	}
	for image := range found {
		require.Contains(t, images, image)
	}
	require.Len(t, found, len(images))
	about := run(t, ".", nil, "helm", "show", "chart", packed)
	for _, image := range images {
		require.Contains(t, about, "image: "+image+"\n")
	}
	require.Contains(t, about, "\nversion: "+version+"\n")
	require.Contains(t, about, "appVersion: "+version+"\n")
}

// SHA256SUMS has every file of the release and is signed.
func requireSums(t *testing.T, w world, out string) {
	t.Helper()
	sums := map[string]string{}
	for _, line := range lines(t, filepath.Join(out, "SHA256SUMS")) {
		sum, file, found := strings.Cut(line, "  ")
		require.True(t, found, line)
		sums[file] = sum
	}
	files := 0
	require.NoError(t, filepath.WalkDir(out, func(path string, entry fs.DirEntry, err error) error {
		require.NoError(t, err)
		file, err := filepath.Rel(out, path)
		require.NoError(t, err)
		if entry.IsDir() || strings.HasPrefix(file, "SHA256SUMS") {
			return nil
		}
		files++
		sum := sha256.Sum256(read(t, path))
		require.Equal(t, hex.EncodeToString(sum[:]), sums[file], file)
		return nil
	}))
	require.Len(t, sums, files)
	arguments := func(key string) []string {
		return []string{"verify-blob", "--key", key, "--insecure-ignore-tlog=true", "--signature", "SHA256SUMS.sig", "SHA256SUMS"}
	}
	run(t, out, nil, "cosign", arguments(w.public())...)
	_, err := try(t, out, nil, "cosign", arguments(w.stranger)...)
	require.Error(t, err)
}

// What would give a release that cannot be told or trusted is refused before anything is built.
func requireRefusals(t *testing.T, w world) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "refused")
	for assignment, want := range map[string]string{
		"VERSION=latest": "is no version", "COSIGN_KEY=/nowhere/cosign.key": "cannot read", "COSIGN_KEY=": "COSIGN_KEY names",
		"KO_DOCKER_REPO=": "KO_DOCKER_REPO says", "RELEASE_DIR=" + w.source: "holds something else",
	} {
		said, err := w.release(t, w.source, out, assignment)
		require.Error(t, err, assignment)
		require.Contains(t, said, want)
	}
	stray := filepath.Join(w.source, "stray.txt")
	require.NoError(t, os.WriteFile(stray, nil, 0o600))
	said, err := w.release(t, w.source, out)
	require.NoError(t, os.Remove(stray))
	require.Error(t, err)
	require.Contains(t, said, "not committed")
	require.NoDirExists(t, out)
}

// Another clone of the commit, in another folder, gives the same images and the same chart.
func requireReproduced(t *testing.T, w world, images []string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "elsewhere", "second")
	run(t, ".", nil, "git", "clone", "--quiet", w.source, folder)
	out := filepath.Join(t.TempDir(), "release")
	log, err := w.release(t, folder, out)
	require.NoError(t, err, log)
	require.Equal(t, images, lines(t, filepath.Join(out, "images.txt")))
}

// serviceOf is the last part of an image's repository.
func serviceOf(image string) string {
	repository, _, _ := strings.Cut(image, "@")
	return repository[strings.LastIndex(repository, "/")+1:]
}

// read returns the content of a file.
func read(t *testing.T, file string) []byte {
	t.Helper()
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	return content
}

// lines are those of a file.
func lines(t *testing.T, file string) []string {
	t.Helper()
	return strings.Split(strings.TrimSuffix(string(read(t, file)), "\n"), "\n")
}

// jsonText is a value in JSON.
func jsonText(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	require.NoError(t, err)
	return string(text)
}
