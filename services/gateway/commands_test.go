package gateway_test

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/pkg/service/servicetest"
	"sellerapi.dev/pkg/trust/trusttest"
)

// program builds the binary once for all tests of this package; TestMain removes it.
var program = sync.OnceValues(func() (string, error) {
	var err error
	built, err = servicetest.Build("./cmd/gateway")
	return filepath.Join(built, "gateway"), err
})

var built string

func TestMain(m *testing.M) {
	if os.Getenv(ownerEnv) != "" {
		os.Exit(ownerMain()) // this process is the owning service of a test
	}
	code := m.Run()
	_ = os.RemoveAll(built)
	os.Exit(code)
}

type operator struct {
	t           *testing.T
	environment []string
}

func newOperator(t *testing.T) *operator {
	t.Helper()
	return operatorOn(t, redistest.New(t).Config.URL.Reveal())
}

func operatorOn(t *testing.T, redisURL string) *operator {
	t.Helper()
	key := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("k", 32)))
	o := &operator{t: t}
	o.environment = []string{
		"TRUSTED_KEYS=" + trusttest.Keys().String(), "KEY_PEPPER=" + key, "ENVIRONMENT=live",
		"DATABASE_URL=" + pgtest.Database(t).Reveal(), "REDIS_URL=" + redisURL,
	}
	o.environment = append(o.environment, "KEY_ENCRYPTION_KEYSET="+o.run("keyset", "new"))
	o.run("migrate")
	return o
}

func (o *operator) try(arguments ...string) (out, problem string, err error) {
	o.t.Helper()
	path, err := program()
	require.NoError(o.t, err)
	command := exec.CommandContext(o.t.Context(), path, arguments...)
	command.Env = o.environment
	var stdout, stderr strings.Builder
	command.Stdout, command.Stderr = &stdout, &stderr
	err = command.Run()
	return strings.TrimSpace(stdout.String()), stderr.String(), err
}

func (o *operator) run(arguments ...string) string {
	o.t.Helper()
	out, problem, err := o.try(arguments...)
	require.NoError(o.t, err, problem)
	return out
}

type printedKey struct {
	KeyID  string   `json:"key_id"`
	Prefix string   `json:"prefix"`
	Scopes []string `json:"scopes"`
	State  string   `json:"state"`
	Text   string   `json:"text"`
}

// An operator manages a seller's keys by commands, without a running gateway.
func TestKeyCommands_withoutGateway(t *testing.T) {
	t.Parallel()
	o, seller, request := newOperator(t), uuid.NewString(), uuid.NewString()
	who := []string{"--seller", seller, "--actor", "kim"}
	with := func(command string, more ...string) string {
		return o.run(append(append([]string{"keys", command}, who...), more...)...)
	}
	with("register-seller", "--name", "Seller")

	var key printedKey
	require.NoError(t, json.Unmarshal([]byte(with("issue", "--request-id", request, "--scopes", "qna:read,orders:read")), &key))
	require.Equal(t, printedKey{
		KeyID: key.KeyID, Prefix: key.Text[:12], Scopes: []string{"orders:read", "qna:read"}, State: "active", Text: key.Text,
	}, key)
	again := with("issue", "--request-id", request, "--scopes", "orders:read,qna:read")
	require.Contains(t, again, key.Text, "the same request, the same key")
	_, problem, err := o.try(append([]string{"keys", "issue", "--request-id", request}, who...)...)
	require.Error(t, err)
	require.Contains(t, problem, "the request id was used before")
	require.Equal(t, key.Text, with("reveal", "--key", key.KeyID))
	require.Contains(t, with("revoke", "--key", key.KeyID, "--reason", "test"), `"revoked"`)

	var all printedKey
	require.NoError(t, json.Unmarshal([]byte(with("issue", "--expires-at", "2100-01-31T00:00:00Z")), &all))
	require.Len(t, all.Scopes, 6)
	var list []printedKey
	require.NoError(t, json.Unmarshal([]byte(with("list")), &list))
	require.Equal(t, []string{"active", "revoked"}, []string{list[0].State, list[1].State})
	require.Empty(t, list[0].Text)
}

// A failing command names the field, seller or setting that is wrong.
func TestCommands_nameWhatIsWrong(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	_, problem, err := o.try("keys", "issue", "--seller", "x", "--actor", " ", "--scopes", "orders:admin")
	require.Error(t, err)
	for _, field := range []string{"seller", "actor", "scopes[0]"} {
		require.Contains(t, problem, field)
	}
	_, problem, err = o.try("keys", "issue", "--seller", uuid.NewString(), "--actor", "kim")
	require.Error(t, err)
	require.Contains(t, problem, "no such seller")
	o.environment = nil
	_, problem, err = o.try("serve")
	require.Error(t, err)
	for _, name := range []string{
		"DATABASE_URL", "TRUSTED_KEYS", "SIGNING_KEY", "ENVIRONMENT", "KEY_PEPPER",
		"KEY_ENCRYPTION_KEYSET",
	} {
		require.Contains(t, problem, name)
	}
}

// A flag without a scope, as from an unset variable, is an error and does not mean all scopes.
func TestIssueCommand_allScopesUnlessAsked(t *testing.T) {
	t.Parallel()
	o, seller := newOperator(t), uuid.NewString()
	o.run("keys", "register-seller", "--seller", seller, "--actor", "kim", "--name", "Seller")
	for _, none := range [][]string{{"--scopes", ""}, {"--scopes="}, {"--scopes", " "}, {"--scopes", ","}} {
		_, problem, err := o.try(append([]string{"keys", "issue", "--seller", seller, "--actor", "kim"}, none...)...)
		require.Error(t, err, "%q", none)
		require.Contains(t, problem, "scopes", "%q", none)
	}
	_, problem, err := o.try("keys", "issue", "--seller", seller, "--actor", "kim", "--scopes", "")
	require.Error(t, err)
	require.Contains(t, problem, "must have at least 1 element")
	require.Equal(t, "[]", o.run("keys", "list", "--seller", seller, "--actor", "kim"))
	require.Contains(t, o.run("keys", "issue", "--seller", seller, "--actor", "kim"), "qna:write")
}

// PostgreSQL has the revocation, which is final: an operator who reads only about Redis would think that it failed.
func TestRevokeCommand_unconfirmed(t *testing.T) {
	t.Parallel()
	o, seller := operatorOn(t, "redis://127.0.0.1:1"), uuid.NewString() // a port on which only system programs may listen
	who := []string{"--seller", seller, "--actor", "kim"}
	with := func(command ...string) []string { return append(append([]string{"keys"}, command...), who...) }
	o.run(with("register-seller", "--name", "Seller")...)
	var key printedKey
	require.NoError(t, json.Unmarshal([]byte(o.run(with("issue")...)), &key))
	out, problem, err := o.try(with("revoke", "--key", key.KeyID)...)
	require.Error(t, err)
	require.Empty(t, out)
	require.Contains(t, problem, "the key is revoked permanently; it is not confirmed on every gateway yet")
	require.Contains(t, problem, "Redis")
	require.Contains(t, o.run(with("list")...), `"revoked"`)
}

// The text of a key can still be revealed after each step of a rotation of the keyset.
func TestKeysetCommand_textSurvivesRotation(t *testing.T) {
	t.Parallel()
	o, seller := newOperator(t), uuid.NewString()
	o.run("keys", "register-seller", "--seller", seller, "--actor", "kim", "--name", "Seller")
	var key printedKey
	require.NoError(t, json.Unmarshal([]byte(o.run("keys", "issue", "--seller", seller, "--actor", "kim")), &key))
	for _, step := range []string{"extend", "promote"} {
		o.environment = append(o.environment, "KEY_ENCRYPTION_KEYSET="+o.run("keyset", step))
		require.Equal(t, key.Text, o.run("keys", "reveal", "--seller", seller, "--actor", "kim", "--key", key.KeyID))
	}
}
