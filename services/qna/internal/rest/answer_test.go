package rest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/timestamp"
	"sellerapi.dev/services/qna/internal/inquiry"
	"sellerapi.dev/services/qna/internal/store"
)

func (b fixture) fixed(t *testing.T, seller uuid.UUID) uuid.UUID {
	t.Helper()
	p := posted(seller)
	p.QnaID = uuid.UUID{1}
	b.postAll(t, p)
	return p.QnaID
}

// The first response and that of its repetition, with another spelling of the same text, have the bodies of the API.
func TestAnswer_200FirstAndRepeated(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	id := b.fixed(t, seller)
	first := b.answerWith(t, seller, id, "네,\r\n됩니다 <3")
	at := timestamp.Format(b.inquiries(t, seller)[0].UpdatedAt)
	requireGolden(t, "answer_first", first.body, at, "TIME_OF_ANSWER")

	again := b.answerWith(t, seller, id, " 네,\n됩니다 <3\n")
	requireGolden(t, "answer_again", again.body, at, "TIME_OF_ANSWER")
}

// Another seller's inquiry, a malformed id and anything else that is not an inquiry of the seller get the same response.
func TestAnswer_404NotAnInquiryOfSeller(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	own, foreign := b.fixed(t, seller), b.postOne(t, uuid.New())
	want := b.post(t, seller, uuid.NewString(), `{"content":"yes"}`, newKey())
	requireGolden(t, "answer_not_found", want.body)
	for name, id := range map[string]string{
		"inquiry of another seller": foreign.String(),
		"not a UUID":                "1",
		"cut":                       own.String()[:35],
		"without hyphens":           strings.ReplaceAll(own.String(), "-", ""),
		"in braces":                 "%7B" + own.String() + "%7D",
		"too long":                  strings.Repeat("a", 65),
		"NUL":                       "%00",
		"invalid UTF-8":             "%ff",
		"with a slash":              "a%2Fb",
	} {
		require.Equal(t, want.body, b.post(t, seller, id, `{"content":"yes"}`, newKey()).body, name)
	}
	require.Equal(t, inquiry.Waiting, b.inquiries(t, seller)[0].Status)
}

// A malformed id is reported before errors in the body; an unknown well-formed id, after them.
func TestAnswer_404MalformedIDBeforeBody(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	for _, body := range []string{"", "{", `{"content":null}`, `{"content":"` + strings.Repeat("a", 2<<20) + `"}`} {
		require.Equal(t, "QNA_NOT_FOUND", b.post(t, seller, "1", body, newKey()).code())
	}
	require.Equal(t, "VALIDATION_ERROR", b.post(t, seller, uuid.NewString(), `{"content":""}`, newKey()).code())
}

// The id of an inquiry may be sent in upper case.
func TestAnswer_idInCapitals(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	id := b.postOne(t, seller)
	require.Equal(t, http.StatusOK, b.post(t, seller, strings.ToUpper(id.String()), `{"content":"yes"}`, newKey()).status)
}

func TestAnswer_409AnotherAnswer(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	id := b.fixed(t, seller)
	require.Equal(t, http.StatusOK, b.answerWith(t, seller, id, "canary").status)
	got := b.answerWith(t, seller, id, "no")
	requireGolden(t, "answer_already", got.body, timestamp.Format(b.inquiries(t, seller)[0].UpdatedAt), "TIME_OF_ANSWER")
	require.NotContains(t, got.body, "canary", "error bodies carry no texts")
}

// Of two concurrent different answers one is registered, and the other is refused.
func TestAnswer_409ConcurrentOther(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	for range 5 {
		id := b.postOne(t, seller)
		answers := make([]answer, 2)
		var calls sync.WaitGroup
		for i, content := range []string{"yes", "no"} {
			calls.Go(func() { answers[i] = b.answerWith(t, seller, id, content) })
		}
		calls.Wait()
		if answers[0].status != http.StatusOK {
			answers[0], answers[1] = answers[1], answers[0]
		}
		require.Equal(t, http.StatusOK, answers[0].status)
		require.Equal(t, "QNA_ALREADY_ANSWERED", answers[1].code())
	}
}

// The call has read the inquiry as answered and waits for the operator's transaction, which then commits. The refusal is not
// stored: a retry with the same key registers the answer.
func TestAnswer_409CancelledAtThatMoment(t *testing.T) {
	t.Parallel()
	b, seller, k := setup(t), uuid.New(), newKey()
	id := b.fixed(t, seller)
	require.Equal(t, http.StatusOK, b.answerWith(t, seller, id, "yes").status)
	tx, err := b.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	_, err = store.Cancel(t.Context(), tx, inquiry.CancelCommand{QnaID: id, Operator: "operator-1", Reason: "wrong product"})
	require.NoError(t, err)

	var unresolved answer
	var calls sync.WaitGroup
	calls.Go(func() { unresolved = b.post(t, seller, id.String(), `{"content":"yes"}`, k) })
	require.Eventually(t, func() bool {
		var waiting bool
		err := b.Pool.QueryRow(t.Context(), "select exists (select from pg_stat_activity a where $1 = any(pg_blocking_pids(a.pid)))",
			tx.Conn().PgConn().PID()).Scan(&waiting)
		return err == nil && waiting
	}, time.Minute, 5*time.Millisecond)
	require.NoError(t, tx.Commit(t.Context()))
	calls.Wait()
	requireGolden(t, "answer_unresolved", unresolved.body)
	require.Empty(t, unresolved.header.Get("X-Inbox"))

	later := b.post(t, seller, id.String(), `{"content":"yes"}`, k)
	require.Equal(t, http.StatusOK, later.status)
	require.Contains(t, later.body, `"converged":false`)
}

// Invalid content is refused, and nothing is stored.
func TestAnswer_422InvalidContent(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	id := b.postOne(t, seller)
	for name, body := range map[string]string{
		"no body":             ``,
		"no content":          `{}`,
		"another letter case": `{"Content":"yes"}`,
		"null":                `{"content":null}`,
		"number":              `{"content":1}`,
		"empty":               `{"content":""}`,
		"blank":               `{"content":" \n\t\u3000"}`,
		"Hangul filler":       `{"content":"\u3164"}`,
		"too long":            `{"content":"` + strings.Repeat("가", 4001) + `"}`,
		"NUL":                 `{"content":"a\u0000b"}`,
		"escape":              `{"content":"a\u001bb"}`,
		"lone CR":             `{"content":"a\rb"}`,
		"C1 control":          `{"content":"a\u0085b"}`,
	} {
		got := b.post(t, seller, id.String(), body, newKey())
		require.Equal(t, http.StatusUnprocessableEntity, got.status, name)
		require.Equal(t, "VALIDATION_ERROR", got.code(), name)
		require.Contains(t, strings.ToLower(strings.Join(got.fields(t), " ")), "content", name)
	}
	for name, body := range map[string]string{
		"not an object": `["yes"]`, "broken": `{"content":"yes"`, "trailing": `{"content":"yes"}{}`,
		"twice": `{"content":"yes","content":"yes"}`, "invalid UTF-8": "{\"content\":\"\xff\"}",
	} {
		got := b.post(t, seller, id.String(), body, newKey())
		require.Equal(t, "VALIDATION_ERROR", got.code(), name)
	}
	require.Equal(t, inquiry.Waiting, b.inquiries(t, seller)[0].Status)
	requireGolden(t, "answer_empty", b.post(t, seller, id.String(), `{"content":""}`, newKey()).body)
}

func TestAnswer_storedAsSent(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	for name, content := range map[string]string{
		"line feeds, tabs, CR LF":  "a\n\tb\r\nc",
		"one character":            "네",
		"maximum length":           strings.Repeat("가", 4000),
		"maximum length after NFC": strings.Repeat("\u1112\u1161\u11ab", 4000),
		"outside of the BMP":       "👍🏽",
		"quotes and brackets":      `"<script>&'`,
	} {
		id := b.postOne(t, seller)
		got := b.answerWith(t, seller, id, content)
		require.Equal(t, http.StatusOK, got.status, name)
		var data struct {
			Answer struct {
				Content string `json:"content"`
			} `json:"answer"`
		}
		require.NoError(t, json.Unmarshal(got.data, &data))
		require.Equal(t, content, data.Answer.Content, name)
		require.Equal(t, content, b.inquiries(t, seller)[0].Answer.Content, name)
	}
}

func TestUnknownMembersAreIgnored(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	id := b.postOne(t, seller)
	require.Equal(t, http.StatusOK, b.post(t, seller, id.String(), `{"content":"yes","author":{"name":"x"}}`, newKey()).status)
}

// Whatever has happened since, a key returns its first response, even after an operator canceled the answer.
func TestIdempotencyKey_replaysFirstAnswer(t *testing.T) {
	t.Parallel()
	b, seller, k := setup(t), uuid.New(), newKey()
	id := b.postOne(t, seller)
	first := b.post(t, seller, id.String(), `{"content":"yes"}`, k)
	require.Equal(t, http.StatusOK, first.status)
	require.Equal(t, "stored 86400", first.header.Get("X-Inbox"))
	_, err := b.store.Cancel(t.Context(), inquiry.CancelCommand{QnaID: id, Operator: "operator-1", Reason: "wrong product"})
	require.NoError(t, err)

	again := b.post(t, seller, id.String(), `{"content":"yes"}`, k)
	require.Equal(t, first.body, again.body)
	require.Equal(t, "true", again.header.Get("Idempotent-Replayed"))
	require.Equal(t, inquiry.Waiting, b.inquiries(t, seller)[0].Status, "a replay has no effect")

	k.fingerprint[0]++
	require.Equal(t, "IDEMPOTENCY_KEY_REUSED", b.post(t, seller, id.String(), `{"content":"no"}`, k).code())
}

// Final refusals are stored as well.
func TestIdempotencyKey_replaysFinalRefusal(t *testing.T) {
	t.Parallel()
	b, seller, k := setup(t), uuid.New(), newKey()
	id := b.postOne(t, seller)
	require.Equal(t, http.StatusOK, b.answerWith(t, seller, id, "yes").status)
	first := b.post(t, seller, id.String(), `{"content":"no"}`, k)
	require.Equal(t, "QNA_ALREADY_ANSWERED", first.code())
	again := b.post(t, seller, id.String(), `{"content":"no"}`, k)
	require.Equal(t, first.body, again.body)
	require.Equal(t, "true", again.header.Get("Idempotent-Replayed"))
}

func TestAnswer_malformedRequestFreesKey(t *testing.T) {
	t.Parallel()
	b, seller, k := setup(t), uuid.New(), newKey()
	id := b.postOne(t, seller)
	require.Equal(t, "VALIDATION_ERROR", b.post(t, seller, id.String(), `{"content":""}`, k).code())
	k.fingerprint[0]++
	require.Equal(t, http.StatusOK, b.post(t, seller, id.String(), `{"content":"yes"}`, k).status)
}
