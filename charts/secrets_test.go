package charts

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// recorder stands for kubectl: what is created is kept in files, and read from them.
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

// secretsOf runs k8s/secrets twice with kubectl, openssl and the plain tools of a system alone, and returns what it makes, by name. The
// second time it leaves everything as it is.
func secretsOf(t *testing.T, kind string) map[string]string {
	t.Helper()
	tools, recorded := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(tools, "kubectl"), []byte(recorder), 0o700)) //nolint:gosec // a program has to be executable
	for _, name := range []string{"bash", "sh", "openssl", "cat", "sed", "tail", "dirname", "awk", "grep", "sort", "tr", "head", "basename"} {
		path, err := exec.LookPath(name)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(tools, name)))
	}
	var made, again map[string]string
	for _, all := range []*map[string]string{&made, &again} {
		command := exec.CommandContext(t.Context(), filepath.Join(tools, "bash"), manifests+"/secrets", "shop", kind)
		command.Env = []string{"PATH=" + tools, "RECORDED=" + recorded}
		out, err := command.CombinedOutput()
		require.NoError(t, err, string(out))
		*all = map[string]string{}
		entries, err := os.ReadDir(recorded)
		require.NoError(t, err)
		for _, entry := range entries {
			(*all)[entry.Name()] = read(t, filepath.Join(recorded, entry.Name()))
		}
	}
	require.Equal(t, made, again)
	return made
}

// An operator has kubectl and openssl, and no Go: the key set that openssl makes is one that the gateway can use.
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

// In production the servers of the database and of Redis have to show certificates that name them.
func TestSecrets_productionVerifiesServers(t *testing.T) {
	t.Parallel()
	made := secretsOf(t, "production")
	lines := strings.Split(strings.TrimSpace(made["seller-open-api-database"]), "\n")
	require.Len(t, lines, 2*len(services))
	for _, line := range lines {
		require.True(t, strings.HasSuffix(line, "@postgres-rw:5432/seller_open_api?sslmode=verify-full"), line)
	}
	require.Regexp(t, `(?m)^url=rediss://:[0-9a-f]{48}@redis-sentinel:26379/0\?master_name=main&sentinel_password=[0-9a-f]{48}$`, made["seller-open-api-redis"])
	require.Regexp(t, `(?m)^url=redis://:[0-9a-f]{48}@redis:6379/0$`, secretsOf(t, "development")["seller-open-api-redis"])
	for _, party := range append(services, "issuer") {
		require.Regexp(t, `(?m)^`+party+`=[A-Za-z0-9+/]{43}=$`, made["seller-open-api-trusted-keys"])
	}
}
