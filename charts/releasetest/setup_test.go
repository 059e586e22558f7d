//go:build release

// Package releasetest runs `make release` with a registry on the loopback interface and verifies the result as an operator who
// installs it would. It builds every image twice, so it runs with `make release-test` and not with `make chart-test`.
package releasetest

import (
	"bytes"
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/stretchr/testify/require"
)

const (
	version  = "1.2.3-rc.1"
	password = "correct horse"
)

var architectures = []string{"amd64", "arm64"}

// world is the environment of the test: a registry, a copy of the working tree as a commit, and the keys of two signers.
type world struct {
	registry string // host and port
	base     string // the base image, by digest
	source   string // folder of the copy
	commit   string
	bin      string // folder of the programs
	key      string // path of the private key; the public key is beside it, with .pub
	stranger string // path of the public key of another signer
}

func set(t *testing.T) world {
	t.Helper()
	server := httptest.NewServer(registry.New(registry.Logger(slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo))))
	t.Cleanup(server.Close)
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	w := world{registry: strings.TrimPrefix(server.URL, "http://"), bin: filepath.Join(root, ".tools", "bin")}
	w.base = pushedBase(t, w.registry)
	w.source = filepath.Join(t.TempDir(), "first")
	w.commit = committed(t, root, w.source)
	w.key = keyPair(t) + ".key"
	w.stranger = keyPair(t) + ".pub"
	return w
}

// A public base image may not be reachable from everywhere.
func pushedBase(t *testing.T, host string) string {
	t.Helper()
	var index v1.ImageIndex = empty.Index
	for _, architecture := range architectures {
		image, err := mutate.ConfigFile(empty.Image, &v1.ConfigFile{
			OS: "linux", Architecture: architecture, Config: v1.Config{User: "65532:65532"},
		})
		require.NoError(t, err)
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add: image, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: architecture}},
		})
	}
	tag, err := name.NewTag(host + "/base:nonroot")
	require.NoError(t, err)
	require.NoError(t, remote.WriteIndex(tag, index))
	digest, err := index.Digest()
	require.NoError(t, err)
	return tag.Name() + "@" + digest.String()
}

// committed clones the repository, copies uncommitted changes of the working tree, sets the version of the chart, commits all
// of it, because a release requires a committed tree with its version, and returns the commit.
func committed(t *testing.T, root, to string) string {
	t.Helper()
	run(t, root, nil, "git", "clone", "--quiet", "--no-hardlinks", root, to)
	files := run(t, root, nil, "git", "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "-z")
	for file := range strings.SplitSeq(strings.TrimSuffix(files, "\x00"), "\x00") {
		info, err := os.Lstat(filepath.Join(root, file))
		if os.IsNotExist(err) {
			require.NoError(t, os.Remove(filepath.Join(to, file)))
			continue
		}
		require.NoError(t, err)
		require.True(t, info.Mode().IsRegular(), file)
		content, err := os.ReadFile(filepath.Join(root, file))
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(to, file)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(to, file), content, info.Mode()))
	}
	chart := filepath.Join(to, "charts", "seller-open-api", "Chart.yaml")
	content, err := os.ReadFile(chart)
	require.NoError(t, err)
	stamped := regexp.MustCompile(`(?m)^(version|appVersion): .*$`).ReplaceAll(content, []byte(`$1: "`+version+`"`))
	require.NoError(t, os.WriteFile(chart, stamped, 0o600))
	run(t, to, nil, "git", "add", "--all")
	author := []string{
		"GIT_AUTHOR_NAME=test", "GIT_AUTHOR_EMAIL=test@example.com", "GIT_COMMITTER_NAME=test", "GIT_COMMITTER_EMAIL=test@example.com",
	}
	run(t, to, author, "git", "commit", "--quiet", "--allow-empty", "--message", "test")
	return strings.TrimSpace(run(t, to, nil, "git", "rev-parse", "HEAD"))
}

// keyPair generates a key pair and returns the common path of the two files, without .key and .pub.
func keyPair(t *testing.T) string {
	t.Helper()
	prefix := filepath.Join(t.TempDir(), "cosign")
	run(t, ".", []string{"COSIGN_PASSWORD=" + password}, "cosign", "generate-key-pair", "--output-key-prefix", prefix)
	return prefix
}

// release runs `make release` in a folder. The assignments in more come last and so override the others.
func (w world) release(t *testing.T, folder, out string, more ...string) (string, error) {
	t.Helper()
	arguments := append([]string{
		"--no-print-directory", "release", "BIN=" + w.bin, "VERSION=" + version, "KO_DOCKER_REPO=" + w.registry + "/shop",
		"COSIGN_KEY=" + w.key, "RELEASE_DIR=" + out,
	}, more...)
	environment := []string{"COSIGN_PASSWORD=" + password, "KO_DEFAULTBASEIMAGE=" + w.base, "GOFLAGS=", "GOWORK="}
	return try(t, folder, environment, "make", arguments...)
}

func run(t *testing.T, folder string, environment []string, program string, arguments ...string) string {
	t.Helper()
	out, err := try(t, folder, environment, program, arguments...)
	require.NoError(t, err, "%s %s\n%s", program, strings.Join(arguments, " "), out)
	return out
}

// try runs a program and returns its standard output; when it fails, both outputs.
func try(t *testing.T, folder string, environment []string, program string, arguments ...string) (string, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, arguments...)
	command.Dir = folder
	// With a certificate file set, cosign does not try to fetch those of Sigstore, which it does not use with a key.
	command.Env = slices.Concat(os.Environ(), []string{"SIGSTORE_ROOT_FILE=/dev/null"}, environment)
	var out, problem bytes.Buffer
	command.Stdout, command.Stderr = &out, &problem
	if err := command.Run(); err != nil {
		return out.String() + problem.String(), err
	}
	return out.String(), nil
}
