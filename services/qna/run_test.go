package qna_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/principal/principaltest"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/trust/trusttest"
	"sellerapi.dev/pkg/web"
	qnav1 "sellerapi.dev/proto/gen/qna/v1"
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
	"sellerapi.dev/services/qna"
)

func newKeys(t *testing.T) secret.Keys {
	t.Helper()
	key := make([]byte, secret.MinKeyBytes)
	_, _ = rand.Read(key)
	keys, err := secret.NewKeys(key)
	require.NoError(t, err)
	return keys
}

// config returns the settings of an instance with its own database, so that no other test's instance does its work.
func config(t *testing.T) qna.Config {
	t.Helper()
	const free = "127.0.0.1:0"
	settings := qna.Config{BackendConfig: service.BackendConfig{ShellConfig: service.ShellConfig{
		Service:     service.Config{Listen: service.Listen{Public: free, RPC: free, Ops: free}, ShutdownTimeout: 5 * time.Second},
		Postgres:    pgtest.Config(t),
		TrustedKeys: trusttest.Keys(),
	}, CursorKeys: newKeys(t), SigningConfig: service.SigningConfig{SigningKey: trusttest.Key(trust.QnA)}}}
	settings.Postgres.URL = pgtest.Database(t)
	return settings
}

func start(t *testing.T, config qna.Config) service.Addresses {
	t.Helper()
	ready, ended := make(chan service.Addresses, 1), make(chan error, 1)
	config.OnReady = func(a service.Addresses) { ready <- a }
	ctx, stop := context.WithCancel(t.Context())
	go func() { ended <- qna.Run(ctx, config) }()
	select {
	case addresses := <-ready:
		t.Cleanup(func() { stop(); require.NoError(t, <-ended) })
		return addresses
	case err := <-ended:
		stop()
		require.NoError(t, err)
		return nil
	}
}

func call(t *testing.T, settings qna.Config, seller uuid.UUID, method, url, body string) (int, web.Envelope) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader([]byte(body)))
	require.NoError(t, err)
	if seller != uuid.Nil {
		request.Header.Set(inbox.Header, inbox.FormatHeader(inbox.Digest(uuid.New()), inbox.Fingerprint(uuid.New())))
		principaltest.Sign(t, trust.QnA, request, principal.Principal{SellerID: seller, KeyID: "key-1", Scopes: principal.All()})
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	var envelope web.Envelope
	require.NoError(t, json.NewDecoder(response.Body).Decode(&envelope))
	return response.StatusCode, envelope
}

// The whole life of an inquiry over the real ports: posted by the marketplace, listed, answered, canceled, waiting again.
func TestRun_inquiryLifeThroughRealPorts(t *testing.T) {
	t.Parallel()
	settings, seller, id := config(t), uuid.New(), uuid.NewString()
	require.NoError(t, qna.Schema.Migrate(t.Context(), settings.Postgres))
	addresses := start(t, settings)
	public := "http://" + addresses["public"] + "/open/v1/qna"
	caller := rpctest.Client(t, rpc.CallerMarketplace, "qna", settings.RPC)
	marketplace := qnav1connect.NewIntakeClient(caller.HTTP, "http://"+addresses["rpc"], caller.Options)

	posted, err := marketplace.PostInquiries(t.Context(), &qnav1.PostInquiriesRequest{Inquiries: []*qnav1.Inquiry{{
		QnaId: id, SellerId: seller.String(), ProductId: uuid.NewString(), ProductName: "손목시계", Category: "product",
		Body: "방수가 되나요?", MemberDisplayName: "김**", CreatedAt: timestamppb.Now(),
	}}})
	require.NoError(t, err)
	require.Equal(t, []qnav1.PostOutcome{qnav1.PostOutcome_POST_OUTCOME_POSTED}, posted.GetOutcomes())

	status, envelope := call(t, settings, seller, http.MethodGet, public+"?status=waiting", "")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, string(envelope.Data), id)

	for _, converged := range []string{`"converged":false`, `"converged":true`} {
		status, envelope = call(t, settings, seller, http.MethodPost, public+"/"+id+"/answer", `{"content":"네"}`)
		require.Equal(t, http.StatusOK, status)
		require.Contains(t, string(envelope.Data), converged)
	}

	cancelled, err := marketplace.CancelAnswer(t.Context(), &qnav1.CancelAnswerRequest{
		QnaId: id, Operator: "operator-1", Reason: "wrong product",
	})
	require.NoError(t, err)
	require.True(t, cancelled.GetChanged())
	_, envelope = call(t, settings, seller, http.MethodGet, public+"?status=answered", "")
	require.JSONEq(t, `{"list":[],"next_cursor":null}`, string(envelope.Data))
}

// The gateway passes these responses on to clients, so they must be the envelope.
func TestRoutes_unknownIsTheEnvelope(t *testing.T) {
	t.Parallel()
	settings := config(t)
	addresses := start(t, settings)
	for target, want := range map[[2]string]int{
		{http.MethodGet, "/"}:                               http.StatusNotFound,
		{http.MethodGet, "/open/v1/qna/"}:                   http.StatusNotFound,
		{http.MethodPost, "/open/v1/qna"}:                   http.StatusMethodNotAllowed,
		{http.MethodGet, "/open/v1/qna/1/answer"}:           http.StatusMethodNotAllowed,
		{http.MethodGet, "/open/v1/qna"}:                    http.StatusUnauthorized,
		{http.MethodPost, "/open/v1/qna/1/answer"}:          http.StatusUnauthorized,
		{http.MethodPost, "/open/v1/qna/1/answer/anything"}: http.StatusNotFound,
	} {
		status, envelope := call(t, settings, uuid.Nil, target[0], "http://"+addresses["public"]+target[1], "")
		require.Equal(t, want, status, target)
		require.Equal(t, want, envelope.Meta.Code)
		require.Nil(t, envelope.Meta.ErrorCode)
		require.NotEmpty(t, envelope.Meta.ErrorData["request_id"])
	}
}

func TestReadyz_onceSchemaExists(t *testing.T) {
	t.Parallel()
	settings := config(t)
	require.NoError(t, qna.Schema.Migrate(t.Context(), settings.Postgres))
	require.NoError(t, qna.Schema.Migrate(t.Context(), settings.Postgres), "migrating again changes nothing")
	addresses := start(t, settings)
	require.Eventually(t, func() bool { return readyz(t, addresses) == http.StatusOK }, time.Minute, 50*time.Millisecond)
}

// readyz returns the status of the readiness probe. A probe whose database query takes longer than a second is 503, as on a
// loaded machine.
func readyz(t *testing.T, addresses map[string]string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+addresses["ops"]+"/readyz", nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

func TestRun_missingKeys(t *testing.T) {
	t.Parallel()
	settings := config(t)
	settings.TrustedKeys, settings.CursorKeys = trust.PublicKeys{}, secret.Keys{}
	err := qna.Run(t.Context(), settings)
	require.ErrorContains(t, err, "TRUSTED_KEYS")
	require.ErrorContains(t, err, "CURSOR_KEYS")

	settings = config(t)
	settings.TrustedKeys = trusttest.Parse(trusttest.Line(trust.Issuer, trusttest.Key(trust.Issuer)),
		trusttest.Line(trust.QnA, settings.SigningKey))
	require.ErrorContains(t, qna.Run(t.Context(), settings), "TRUSTED_KEYS: no public key of gateway")

	settings = config(t)
	settings.SigningKey = trusttest.Named("next")
	require.ErrorContains(t, qna.Run(t.Context(), settings), "SIGNING_KEY: its public key is not among the trusted keys of qna")
}

// Every service deletes stored responses after their retention and measures the remaining ones, without code of its own.
func TestRun_forgetsAnswers(t *testing.T) {
	t.Parallel()
	settings := config(t)
	require.NoError(t, qna.Schema.Migrate(t.Context(), settings.Postgres))
	db, err := pgx.Connect(t.Context(), settings.Postgres.URL.Reveal())
	require.NoError(t, err)
	defer func() { _ = db.Close(context.WithoutCancel(t.Context())) }()
	_, err = db.Exec(t.Context(), `insert into qna.inbox_answers (seller_id, digest, answered_at, status, body)
		values (gen_random_uuid(), 1, now() - interval '2 days', 200, '')`)
	require.NoError(t, err)
	addresses := start(t, settings)
	for _, series := range []string{
		`job_runs_total\{kind="forget_answers",outcome="done"} [1-9]`, `inbox_rows\{kept="keys"}`,
		`db_table_bytes\{table="inbox"} [1-9]`,
	} {
		require.Eventually(t, func() bool {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+addresses["ops"]+"/metrics", nil)
			require.NoError(t, err)
			response, err := http.DefaultClient.Do(request)
			require.NoError(t, err)
			page, err := io.ReadAll(response.Body)
			require.NoError(t, errors.Join(err, response.Body.Close()))
			return regexp.MustCompile(series).Match(page)
		}, 10*time.Minute, 20*time.Millisecond, series) // a sweep runs once a minute, later on a loaded machine
	}
}
