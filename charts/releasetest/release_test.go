//go:build release

package releasetest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/stretchr/testify/require"
)

// A release is built once, verified in all parts, and built again elsewhere.
func TestRelease(t *testing.T) {
	t.Parallel()
	w := set(t)
	out := filepath.Join(t.TempDir(), "release")
	log, err := w.release(t, w.source, out)
	require.NoError(t, err, log)
	images := lines(t, filepath.Join(out, "images.txt"))
	services := strings.Fields(run(t, w.source, nil, ".ci/services", "images"))
	require.Len(t, images, len(services))
	for _, service := range services {
		require.Contains(t, strings.Join(images, "\n")+"\n", w.registry+"/shop/"+service+"@sha256:")
	}

	r := released{world: w, images: images, out: out}
	for name, check := range map[string]func(*testing.T, released){
		"images": requireImages, "signatures": requireSignatures, "provenance": requireProvenance, "SBOM": requireSBOMs,
		"chart": requireChart, "mirror": requireMirrored, "sums": requireSums, "refusals": requireRefusals, "clients": requireClients,
		"again": requireReproduced,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t, r)
		})
	}
}

type released struct {
	world
	images []string // by digest
	out    string   // the output folder
}

// requireImages requires that each index has an image for each architecture, built on the base image and labelled with version,
// commit and source.
func requireImages(t *testing.T, r released) {
	t.Helper()
	epoch := strings.TrimSpace(run(t, r.source, nil, "git", "log", "-1", "--format=%ct"))
	for _, image := range r.images {
		index, manifest := pulled(t, image)
		require.Contains(t, manifest.Annotations["org.opencontainers.image.base.name"], digestOf(r.base))
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
			require.Equal(t, r.commit, config.Config.Labels["org.opencontainers.image.revision"])
			require.Equal(t, "https://sellerapi.dev", config.Config.Labels["org.opencontainers.image.source"])
			require.Equal(t, epoch, jsonText(t, config.Created.Unix()))
			require.Equal(t, "65532:65532", config.Config.User)
		}
		require.ElementsMatch(t, architectures, found)
	}
}

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

func parts(t *testing.T, image string) []string {
	t.Helper()
	_, manifest := pulled(t, image)
	repository, _, _ := strings.Cut(image, "@")
	all := append(make([]string, 0, 1+len(architectures)), image)
	for _, entry := range manifest.Manifests {
		all = append(all, repository+"@"+entry.Digest.String())
	}
	return all
}

// requireSignatures requires that the index and its images are signed with the key of the release, and that verification fails
// with another key and for an image that was changed after it was signed.
func requireSignatures(t *testing.T, r released) {
	t.Helper()
	for _, image := range r.images {
		for _, part := range parts(t, image) {
			run(t, ".", nil, "cosign", verify(r.public(), part)...)
		}
	}
	requireRefused(t, ".", "invalid signature", verify(r.stranger, r.images[0])...)
	changed := changedImage(t, r.images[0])
	requireRefused(t, ".", "no signatures found", verify(r.public(), changed)...)
	copySignature(t, r.images[0], changed)
	requireRefused(t, ".", "invalid or missing digest in claim", verify(r.public(), changed)...)
}

func requireRefused(t *testing.T, folder, reason string, arguments ...string) {
	t.Helper()
	said, err := try(t, folder, nil, "cosign", arguments...)
	require.Error(t, err)
	require.Contains(t, said, reason)
}

func (w world) public() string { return strings.TrimSuffix(w.key, ".key") + ".pub" }

// verify returns the arguments of cosign that the chart's README shows.
func verify(key, image string) []string {
	return []string{"verify", "--key", key, "--private-infrastructure", image}
}

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

// requireProvenance requires that the attested provenance names the commit, base image and modules of a build, and equals the
// file in the release.
func requireProvenance(t *testing.T, r released) {
	t.Helper()
	for _, image := range r.images {
		var written any
		require.NoError(t, json.Unmarshal(read(t, filepath.Join(r.out, "provenance", serviceOf(image)+".json")), &written))
		for _, part := range parts(t, image) {
			statement := attested(t, r.public(), "slsaprovenance1", part)
			require.Equal(t, "https://slsa.dev/provenance/v1", statement.PredicateType)
			require.Equal(t, written, statement.Predicate)
			require.Len(t, statement.Subject, 1)
			require.Equal(t, strings.TrimPrefix(digestOf(part), "sha256:"), statement.Subject[0].Digest["sha256"])
		}
		requireMaterials(t, r, image)
		said := jsonText(t, written)
		for _, fact := range []string{
			`"gitCommit":"` + r.commit + `"`, `"commit":"` + r.commit + `"`, `"version":"` + version + `"`,
			`"package":"./services/` + serviceOf(image) + `/cmd/` + serviceOf(image) + `"`,
			`"sha256":"` + strings.TrimPrefix(digestOf(r.base), "sha256:") + `"`,
			`"platforms":["linux/amd64","linux/arm64"]`, `pkg:golang/github.com/jackc/pgx/v5@`, `"dirHash":"`,
			`"id":"https://sellerapi.dev/builders/make-release"`, `"ko":"v`, `"go":"go1.`,
			`-X sellerapi.dev/pkg/service.version=` + version,
		} {
			require.Contains(t, said, fact)
		}
	}
	requireRefused(t, ".", "accepted signatures do not match threshold",
		verifyAttestation(r.stranger, "slsaprovenance1", r.images[0])...)
}

// requireMaterials requires that the provenance names each module once and no folder of the source, and has the checksum of every
// SBOM.
func requireMaterials(t *testing.T, r released, image string) {
	t.Helper()
	var provenance struct {
		BuildDefinition struct {
			BuildType            string
			ResolvedDependencies []material
		}
		RunDetails struct{ Byproducts []material }
	}
	require.NoError(t, json.Unmarshal(read(t, filepath.Join(r.out, "provenance", serviceOf(image)+".json")), &provenance))
	require.Equal(t, "https://sellerapi.dev/charts/seller-open-api/README.md#releases", provenance.BuildDefinition.BuildType)
	materials := provenance.BuildDefinition.ResolvedDependencies
	require.Equal(t, "git+https://sellerapi.dev@"+r.commit, materials[0].URI)
	require.Equal(t, "pkg:oci/base@"+url.QueryEscape(digestOf(r.base))+"?repository_url="+url.QueryEscape(r.registry+"/base"),
		materials[1].URI)
	seen := map[string]bool{}
	for _, module := range materials[2:] {
		require.Regexp(t, `^pkg:golang/[^@]+@v`, module.URI)
		require.Regexp(t, `^[0-9a-f]{64}$`, module.Digest["dirHash"])
		require.False(t, seen[module.URI], module.URI)
		seen[module.URI] = true
	}
	boms := make([]material, 0, 1+len(architectures))
	for _, suffix := range []string{"index", "linux-amd64", "linux-arm64"} {
		file := serviceOf(image) + "-" + suffix + ".spdx.json"
		sum := sha256.Sum256(read(t, filepath.Join(r.out, "sbom", file)))
		boms = append(boms, material{Name: file, Digest: map[string]string{"sha256": hex.EncodeToString(sum[:])}})
	}
	require.Equal(t, boms, provenance.RunDetails.Byproducts)
}

type material struct {
	URI, Name string
	Digest    map[string]string
}

type statement struct {
	PredicateType string `json:"predicateType"`
	Subject       []struct{ Digest map[string]string }
	Predicate     any
}

// verifyAttestation returns the arguments of cosign that the chart's README shows.
func verifyAttestation(key, kind, image string) []string {
	return []string{"verify-attestation", "--key", key, "--private-infrastructure", "--type", kind, image}
}

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

// requireSBOMs requires that the SBOM of an image names its digest and the modules of its program, and that of an index the
// digest of the index.
func requireSBOMs(t *testing.T, r released) {
	t.Helper()
	for _, image := range r.images {
		all := parts(t, image)
		for n, suffix := range []string{"index", "linux-amd64", "linux-arm64"} {
			text := string(read(t, filepath.Join(r.out, "sbom", serviceOf(image)+"-"+suffix+".spdx.json")))
			require.Contains(t, text, digestOf(all[n]))
			require.Contains(t, jsonText(t, attested(t, r.public(), "spdxjson", all[n]).Predicate), digestOf(all[n]))
			if n == 0 {
				continue
			}
			for _, module := range []string{
				"sellerapi.dev/services/" + serviceOf(image), "github.com/jackc/pgx/v5",
				"go.opentelemetry.io/otel",
			} {
				require.Contains(t, text, `"`+module+`"`)
			}
		}
	}
}

// requireChart requires that every container of the packaged chart uses one of the released images by digest.
func requireChart(t *testing.T, r released) {
	t.Helper()
	packed := filepath.Join(r.out, "seller-open-api-"+version+".tgz")
	requireRendered(t, r.images, packed)
	about := run(t, ".", nil, "helm", "show", "chart", packed)
	for _, image := range r.images {
		require.Contains(t, about, "image: "+image+"\n")
	}
	require.Contains(t, about, "\nversion: "+version+"\n")
	require.Contains(t, about, "appVersion: "+version+"\n")
}

// requireMirrored requires that copies in another registry have the digests of the release and can be verified in the same way.
func requireMirrored(t *testing.T, r released) {
	t.Helper()
	place := r.registry + "/mirror"
	copies := make([]string, len(r.images))
	for n, image := range r.images {
		run(t, ".", nil, "cosign", "copy", image, place+"/"+serviceOf(image)+":"+version)
		copies[n] = place + "/" + serviceOf(image) + "@" + digestOf(image)
		for _, part := range parts(t, copies[n]) {
			run(t, ".", nil, "cosign", verify(r.public(), part)...)
			attested(t, r.public(), "slsaprovenance1", part)
			attested(t, r.public(), "spdxjson", part)
		}
	}
	requireRendered(t, copies, filepath.Join(r.out, "seller-open-api-"+version+".tgz"), "--set", "image.registry="+place)
}

func requireRendered(t *testing.T, images []string, packed string, more ...string) {
	t.Helper()
	arguments := append([]string{"template", "soa", packed, "--values", "../seller-open-api/ci/console-values.yaml"}, more...)
	rendered := run(t, ".", nil, "helm", arguments...)
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
}

func requireSums(t *testing.T, r released) {
	t.Helper()
	sums := map[string]string{}
	for _, line := range lines(t, filepath.Join(r.out, "SHA256SUMS")) {
		sum, file, found := strings.Cut(line, "  ")
		require.True(t, found, line)
		sums[file] = sum
	}
	files := 0
	require.NoError(t, filepath.WalkDir(r.out, func(path string, entry fs.DirEntry, err error) error {
		require.NoError(t, err)
		file, err := filepath.Rel(r.out, path)
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
		return []string{"verify-blob", "--key", key, "--private-infrastructure", "--signature", "SHA256SUMS.sig", "SHA256SUMS"}
	}
	run(t, r.out, nil, "cosign", arguments(r.public())...)
	requireRefused(t, r.out, "invalid signature", arguments(r.stranger)...)
}

// requireRefusals requires that settings which would lead to an unidentifiable or untrustworthy release are rejected before
// anything is built.
func requireRefusals(t *testing.T, r released) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "refused")
	for assignment, want := range map[string]string{
		"VERSION=latest": "is no version", "VERSION=1.2.3": "but version in charts/seller-open-api/Chart.yaml is " + version,
		"COSIGN_KEY=/nowhere/cosign.key": "cannot read", "COSIGN_KEY=": "COSIGN_KEY names",
		"KO_DOCKER_REPO=": "KO_DOCKER_REPO says", "KO_DEFAULTBASEIMAGE=" + r.registry + "/base:nonroot": "is not named by digest",
		"RELEASE_DIR=" + r.source: "holds something else",
	} {
		said, err := r.release(t, r.source, out, assignment)
		require.Error(t, err, assignment)
		require.Contains(t, said, want)
	}
	stray := filepath.Join(r.source, "stray.txt")
	require.NoError(t, os.WriteFile(stray, nil, 0o600))
	said, err := r.release(t, r.source, out)
	require.NoError(t, os.Remove(stray))
	require.Error(t, err)
	require.Contains(t, said, "not committed")
	require.NoDirExists(t, out)
}

// requireReproduced requires that another clone of the commit, in another folder and with an empty build cache, gives the same
// images, SBOMs and chart.
func requireReproduced(t *testing.T, r released) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "elsewhere", "second")
	run(t, ".", nil, "git", "clone", "--quiet", r.source, folder)
	out := filepath.Join(t.TempDir(), "release")
	log, err := r.release(t, folder, out, "GOCACHE="+t.TempDir())
	require.NoError(t, err, log)
	require.Equal(t, r.images, lines(t, filepath.Join(out, "images.txt")))
	require.Equal(t, sumsWithoutProvenance(t, r.out), sumsWithoutProvenance(t, out))
}

// sumsWithoutProvenance returns the checksums of a release except for those of the provenance, which contains the time of the
// build.
func sumsWithoutProvenance(t *testing.T, out string) []string {
	t.Helper()
	return slices.DeleteFunc(lines(t, filepath.Join(out, "SHA256SUMS")), func(line string) bool {
		return strings.Contains(line, "  provenance/")
	})
}

func serviceOf(image string) string {
	repository, _, _ := strings.Cut(image, "@")
	return repository[strings.LastIndex(repository, "/")+1:]
}

func digestOf(image string) string {
	_, digest, _ := strings.Cut(image, "@")
	return digest
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	return content
}

func lines(t *testing.T, file string) []string {
	t.Helper()
	return strings.Split(strings.TrimSuffix(string(read(t, file)), "\n"), "\n")
}

func jsonText(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	require.NoError(t, err)
	return string(text)
}
