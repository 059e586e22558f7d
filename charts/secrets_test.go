package charts

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// recorder is a test double for kubectl. It keeps created objects in files and reads them from there.
const recorder = `#!/bin/sh
shift 2
case "$1 $2" in
  "get secret,configmap")
    for made in "$RECORDED"/*; do
      case $made in */\*) ;; *trusted-keys) echo "configmap/${made##*/}" ;; *) echo "secret/${made##*/}" ;; esac
    done ;;
  "create secret") cat >"$RECORDED/$4" ;;
  "create configmap") cat >"$RECORDED/$3" ;;
  "get secret" | "get configmap")
    [ -e "$RECORDED/$3" ] || exit 1
    [ $# -gt 3 ] || exit 0
    key=$(echo "$5" | sed 's/.*\.data "\([^"]*\)".*/\1/')
    sed -n "s/^$key=//p" "$RECORDED/$3" ;;
esac
`

// operator runs k8s/secrets with only kubectl, openssl and the basic tools of a system on the PATH.
type operator struct{ tools, recorded string }

func newOperator(t *testing.T) operator {
	t.Helper()
	o := operator{tools: t.TempDir(), recorded: t.TempDir()}
	require.NoError(t, os.WriteFile(filepath.Join(o.tools, "kubectl"), []byte(recorder), 0o700)) //nolint:gosec // a program has to be executable
	for _, name := range []string{
		"bash", "sh", "openssl", "cat", "sed", "tail", "dirname", "awk", "grep", "sort", "tr",
		"head", "basename",
	} {
		path, err := exec.LookPath(name)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(o.tools, name)))
	}
	return o
}

func (o operator) secrets(t *testing.T, kind string) map[string]string {
	t.Helper()
	command := exec.CommandContext(t.Context(), filepath.Join(o.tools, "bash"), manifests+"/secrets", "shop", kind)
	command.Env = []string{"PATH=" + o.tools, "RECORDED=" + o.recorded}
	out, err := command.CombinedOutput()
	require.NoError(t, err, string(out))
	all := map[string]string{}
	entries, err := os.ReadDir(o.recorded)
	require.NoError(t, err)
	for _, entry := range entries {
		all[entry.Name()] = read(t, filepath.Join(o.recorded, entry.Name()))
	}
	return all
}

// secretsOf returns the objects that k8s/secrets creates in an empty cluster, by name. It fails the test if a second run
// changes anything.
func secretsOf(t *testing.T, kind string) map[string]string {
	t.Helper()
	o := newOperator(t)
	made := o.secrets(t, kind)
	require.Equal(t, made, o.secrets(t, kind))
	return made
}

// Operators have kubectl and openssl but not Go, so k8s/secrets generates the key set with openssl. The gateway can use it.
func TestSecrets_keysetWithoutGo(t *testing.T) {
	t.Parallel()
	made := secretsOf(t, "development")
	_, keyset, found := strings.Cut(made["seller-open-api-keys"], "keyset=")
	require.True(t, found)
	extend := exec.CommandContext(t.Context(), program(t, "gateway"), "keyset", "extend")
	extend.Env = []string{"KEY_ENCRYPTION_KEYSET=" + strings.TrimSpace(keyset)}
	out, err := extend.CombinedOutput()
	require.NoError(t, err, string(out))
}

// In production clients verify the host names in the certificates of the database and Redis servers.
func TestSecrets_productionVerifiesServers(t *testing.T) {
	t.Parallel()
	made := secretsOf(t, "production")
	lines := strings.Split(strings.TrimSpace(made["seller-open-api-database"]), "\n")
	require.Len(t, lines, 2*len(services))
	for _, line := range lines {
		require.True(t, strings.HasSuffix(line, "@postgres-rw:5432/seller_open_api?sslmode=verify-full"), line)
	}
	require.Regexp(t, `(?m)^url=rediss://:[0-9a-f]{48}@redis-sentinel:26379/0\?master_name=main&sentinel_password=[0-9a-f]{48}$`,
		made["seller-open-api-redis"])
	require.Regexp(t, `(?m)^url=redis://:[0-9a-f]{48}@redis:6379/0$`, secretsOf(t, "development")["seller-open-api-redis"])
	for _, party := range append(slices.Clone(delivered), "issuer") {
		require.Regexp(t, `(?m)^`+party+`=[A-Za-z0-9+/]{43}=$`, made["seller-open-api-trusted-keys"])
	}
}

// An operator who has moved the issuer's private key out of the cluster does not get another one, which no service would trust.
func TestSecrets_issuerStaysOut(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	o.secrets(t, "production")
	const issuer = "seller-open-api-signing-issuer"
	require.NoError(t, os.Remove(filepath.Join(o.recorded, issuer)))
	_, again := o.secrets(t, "production")[issuer]
	require.False(t, again)
}
