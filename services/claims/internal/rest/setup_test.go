package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/principal/principaltest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/rest"
	"sellerapi.dev/services/claims/internal/store"
)

var update = flag.Bool("update", false, "rewrite the golden answers")

type fixture struct {
	*pgtest.DB
	engine  *gin.Engine
	store   *store.Store
	cursors *paging.Signer
}

// alone is a saga without an orders service, which always agrees at once: only the rules and the store.
type alone struct{ store *store.Store }

func (a alone) Perform(ctx context.Context, seller uuid.UUID, no string,
	command claim.Command,
) (performed claim.Claim, alreadyDone bool, err error) {
	around := claim.Surroundings{Periods: claim.DefaultPeriods()}
	outcome, err := a.store.Change(ctx, seller, no, func(c *claim.Claim, undone claim.Undone, now time.Time) claim.Decision {
		around.Undone = undone
		return claim.Decide(c, command, now)
	})
	if err != nil || outcome.Claim.Performed.Pending() == nil {
		return outcome.Claim, outcome.Decision.Verdict == claim.AlreadyDone, err
	}
	outcome, err = a.store.Change(ctx, seller, no, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
		return c.Confirm(*c.Performed.Pending(), nil, around, now)
	})
	return outcome.Claim, outcome.Decision.Verdict == claim.AlreadyDone, err
}

func setup(tb testing.TB) fixture {
	tb.Helper()
	db := pgtest.New(tb, store.Migrations())
	claims := store.New(db.AsService(tb))
	return setupWith(tb, db, claims, alone{claims})
}

func setupWith(tb testing.TB, db *pgtest.DB, claims *store.Store, saga rest.Saga) fixture {
	tb.Helper()
	cursors, err := paging.NewSigner([]byte(strings.Repeat("c", 32)))
	require.NoError(tb, err)
	b := fixture{DB: db, store: claims, cursors: cursors}
	b.engine = web.NewEngine(web.Options{Service: "claims", Telemetry: telemetrytest.Discard(tb)})
	api := rest.API{Claims: claims, Cursors: cursors, Saga: saga, Box: inbox.New(db.AsService(tb), inbox.Config{})}
	require.NoError(tb, web.RegisterOperations(b.engine, principaltest.Verifier(tb, trust.Claims),
		operation.Of(operation.Claims), api.Handlers()))
	return b
}

type answer struct {
	status int
	header http.Header
	body   string
	meta   web.Meta
	data   json.RawMessage
}

// code returns the error_code, "" if it is null.
func (a answer) code() string {
	if a.meta.ErrorCode == nil {
		return ""
	}
	return *a.meta.ErrorCode
}

func (a answer) fields(t *testing.T) []string {
	t.Helper()
	list, _ := a.meta.ErrorData["errors"].([]any)
	fields := make([]string, 0, len(list))
	for _, element := range list {
		problem, ok := element.(map[string]any)
		require.True(t, ok)
		field, _ := problem["field"].(string)
		fields = append(fields, field)
	}
	return fields
}

func (b fixture) send(tb testing.TB, seller uuid.UUID, request *http.Request) answer {
	tb.Helper()
	caller := principal.Principal{SellerID: seller, KeyID: "key-1", KeyPrefix: "vpk_test_abc", Scopes: principal.All()}
	principaltest.Sign(tb, trust.Claims, request, caller)
	request.Header.Set(web.RequestIDHeader, "request-1")
	recorder := httptest.NewRecorder()
	b.engine.ServeHTTP(recorder, request)
	got := answer{status: recorder.Code, header: recorder.Header(), body: recorder.Body.String()}
	var envelope web.Envelope
	require.NoError(tb, json.Unmarshal(recorder.Body.Bytes(), &envelope))
	got.meta, got.data = envelope.Meta, envelope.Data
	require.Equal(tb, got.status, got.meta.Code)
	return got
}

func (b fixture) get(tb testing.TB, seller uuid.UUID, path, query string) answer {
	tb.Helper()
	request := httptest.NewRequestWithContext(tb.Context(), http.MethodGet, "/open/v1/"+path, nil)
	request.URL.RawQuery = query
	return b.send(tb, seller, request)
}

type key struct {
	digest      inbox.Digest
	fingerprint inbox.Fingerprint
}

func newKey() key {
	return key{digest: inbox.Digest(uuid.New()), fingerprint: inbox.Fingerprint(uuid.New())}
}

func (b fixture) post(tb testing.TB, seller uuid.UUID, no, action, body string, k key) answer {
	tb.Helper()
	request := httptest.NewRequestWithContext(tb.Context(), http.MethodPost, "/open/v1/claims/"+no+"/"+action,
		strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(inbox.Header, inbox.FormatHeader(k.digest, k.fingerprint))
	return b.send(tb, seller, request)
}

func (b fixture) act(tb testing.TB, c claim.Claim, action, body string) answer {
	tb.Helper()
	return b.post(tb, c.SellerID, c.No, action, body, newKey())
}

// steps are the actions that take a return or an exchange through all its states.
var steps = [][2]string{
	{"approve", ""},
	{"pickup", `{"carrier_name":"한진택배","tracking_no":"4123-4567-8901"}`},
	{"collect-done", ""},
	{"inspect", `{"result":"pass"}`},
	{"reship", `{"carrier_name":"CJ대한통운","tracking_no":"６９0000000011"}`},
}

func (b fixture) advance(tb testing.TB, c claim.Claim, count int) claim.Claim {
	tb.Helper()
	for _, step := range steps[:count] {
		got := b.act(tb, c, step[0], step[1])
		require.Equal(tb, http.StatusOK, got.status, got.body)
	}
	return b.read(tb, c)
}

func (b fixture) read(tb testing.TB, c claim.Claim) claim.Claim {
	tb.Helper()
	got, err := b.store.Get(tb.Context(), c.SellerID, c.No)
	require.NoError(tb, err)
	return got
}

// wanted returns a request for one piece of each of two lines, with a reason that is the seller's fault.
func wanted(seller uuid.UUID, kind claim.Type) claim.Wanted {
	w := claim.Wanted{
		No: "C-" + uuid.NewString(), OrderNo: "O-20260302-1", SellerID: seller, Type: kind, Reason: claim.WrongDelivery,
		Items: []claim.WantedItem{{ItemID: uuid.UUID{1}, Quantity: 2}, {ItemID: uuid.UUID{2}, Quantity: 1}},
	}
	if kind == claim.Exchange {
		w.Items[0].ExchangeOptionName, w.Items[1].ExchangeOptionName = "파랑 / L <1&2>", "초록"
		w.Items[0].ExchangeUnitPrice = 4500
	}
	return w
}

func (b fixture) open(tb testing.TB, w claim.Wanted) claim.Claim {
	tb.Helper()
	step, err := b.store.PlanOpening(tb.Context(), w)
	require.NoError(tb, err)
	opened, err := b.store.Open(tb.Context(), step, claim.Won, func(policy claim.Policy, now time.Time) (claim.Change, error) {
		held := claim.Held{ShippingPaid: 3000, SellerQuantity: 900}
		for i, item := range w.Items {
			held.Lines = append(held.Lines, claim.Line{
				ItemID: item.ItemID, ItemCode: w.OrderNo + "-0" + string(rune('1'+i)), ProductName: "셔츠", OptionName: "빨강 / M",
				Quantity: 3, UnitPrice: 5000, Paid: 14000, Points: 600, DeliveredAt: &now,
			})
		}
		return claim.Open(w, held, policy, claim.DefaultPeriods(), now)
	})
	require.NoError(tb, err)
	return opened
}

func (b fixture) openOne(tb testing.TB, seller uuid.UUID, kind claim.Type) claim.Claim {
	tb.Helper()
	return b.open(tb, wanted(seller, kind))
}

// change applies a decision of a party other than the seller.
func (b fixture) change(t *testing.T, c claim.Claim, decide func(c *claim.Claim, now time.Time) claim.Decision) claim.Claim {
	t.Helper()
	outcome, err := b.store.Change(t.Context(), c.SellerID, c.No,
		func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
			return decide(c, now)
		})
	require.NoError(t, err)
	require.Equal(t, claim.Execute, outcome.Decision.Verdict)
	return outcome.Claim
}

// requireGolden compares a body with the golden response of that name. replacements are pairs of a value that differs from run
// to run and its placeholder.
func requireGolden(t *testing.T, name, body string, replacements ...string) {
	t.Helper()
	body = strings.NewReplacer(replacements...).Replace(body)
	file := filepath.Join("testdata", name+".json")
	var indented bytes.Buffer
	require.NoError(t, json.Indent(&indented, []byte(body), "", "  "))
	indented.WriteString("\n")
	if *update {
		require.NoError(t, os.WriteFile(file, indented.Bytes(), 0o644)) //nolint:gosec // a file of the source tree
	}
	golden, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(golden), indented.String())
}
