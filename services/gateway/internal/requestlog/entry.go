package requestlog

import (
	"encoding/binary"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel/trace"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/web"
)

// Idempotency is what a call met with its idempotency key.
type Idempotency string

// The outcomes. A call that was refused before its key was looked at has none.
const (
	First      Idempotency = "first"
	Replayed   Idempotency = "replayed"
	InProgress Idempotency = "in_progress"
	Reused     Idempotency = "reused"
	Gone       Idempotency = "gone"
)

// Outcomes returns all of them.
func Outcomes() []Idempotency { return []Idempotency{First, Replayed, InProgress, Reused, Gone} }

// Entry is a call with its outcome.
type Entry struct {
	SellerID uuid.UUID
	// At is when the call arrived, to the microsecond. ID begins with it, see IDAt.
	At        time.Time
	ID        uuid.UUID
	KeyID     uuid.UUID
	KeyPrefix string // as read; it is not written
	Took      time.Duration
	Status    int
	Rows      int
	Operation string
	RequestID string
	// TraceID is that of the access log, 16 bytes, whether or not the trace is recorded; nil if there is none.
	TraceID []byte
	// Record is the order, claim or inquiry that the path names, and Query what may be kept of the query; "" if there is none.
	Record, Query string
	// Code and Data are error_code and what may be kept of error_data of a refusal.
	Code string
	Data []byte
	// Idempotency is what the call met with its key, whose digest KeyDigest is; "" and nil without one.
	Idempotency Idempotency
	KeyDigest   []byte
	Client      netip.Addr
	UserAgent   string
}

// IDAt returns an id that begins with a time: UUID version 7, with the microseconds of the millisecond after it. random are 62
// bits.
func IDAt(at time.Time, random uint64) (id uuid.UUID) {
	micros := uint64(at.UnixMicro()) //nolint:gosec // after 1970
	binary.BigEndian.PutUint64(id[:], micros/1000<<16|7<<12|micros%1000)
	binary.BigEndian.PutUint64(id[8:], random>>2|1<<63)
	return id
}

// TimeOf returns the time with which an id of IDAt begins; false for any other id.
func TimeOf(id uuid.UUID) (time.Time, bool) {
	head := binary.BigEndian.Uint64(id[:])
	micros := head & 0xfff
	if id.Version() != 7 || micros >= 1000 {
		return time.Time{}, false
	}
	return time.UnixMicro(int64(head>>16)*1000 + int64(micros)).UTC(), true //nolint:gosec // 48 and 12 bits
}

// maxUserAgent limits the User-Agent in bytes.
const maxUserAgent = 60

// answered is a call as it is queued: what is costly to derive is left for later.
type answered struct {
	facts     web.Facts
	query     string
	userAgent string
	path      string // the value that names a record
	client    string
	trace     trace.TraceID
	code      string // of a refusal, if derived is set
	data      []byte
	derived   bool
}

// refusal derives error_code and error_data, once.
func (a *answered) refusal() {
	if !a.derived {
		a.code, a.data = refusalOf(&a.facts)
		a.facts.Refusal, a.facts.Failure, a.derived = nil, nil, true
	}
}

// entry derives the entry.
func (a *answered) entry() Entry {
	a.refusal()
	facts := &a.facts
	at := facts.Began.Truncate(time.Microsecond).UTC()
	entry := Entry{
		SellerID: facts.Seller, At: at, ID: IDAt(at, rand.Uint64()), //nolint:gosec // it distinguishes calls of one microsecond
		KeyID: facts.KeyID, Took: facts.Took, Status: facts.Status, Rows: facts.Rows, Operation: facts.Operation,
		RequestID: facts.RequestID, Record: a.record(), Query: queryOf(a.query), UserAgent: products(a.userAgent),
		Code: a.code, Data: a.data,
	}
	if a.trace.IsValid() {
		entry.TraceID = a.trace[:]
	}
	entry.Client, _ = netip.ParseAddr(a.client)
	if !entry.Client.IsValid() {
		entry.Client = netip.IPv4Unspecified()
	}
	if facts.Keyed {
		entry.KeyDigest = facts.IdempotencyKey[:keyDigestBytes]
		entry.Idempotency = idempotencyOf(facts, entry.Code)
	}
	return entry
}

// keyDigestBytes are enough to tell the keys of a seller apart; see package inbox.
const keyDigestBytes = 8

func idempotencyOf(facts *web.Facts, code string) Idempotency {
	switch {
	case code == apierr.IdempotencyInProgress.WireCode():
		return InProgress
	case code == apierr.IdempotencyKeyReused.WireCode():
		return Reused
	case code == apierr.IdempotencyResultExpired.WireCode():
		return Gone
	case facts.Replayed:
		return Replayed
	case facts.First:
		return First
	default:
		return ""
	}
}

// record returns the name of the record in the path. One that was not found, or not looked up, may be anything that a client has
// sent: it is kept if it has the form of a number, which a name, a telephone number, a birthday or an address has not.
func (a *answered) record() string {
	if values := a.facts.Numbers.Values; len(values) > 0 && a.looked() {
		return values[0]
	}
	if isNumber(a.path) {
		return a.path
	}
	return ""
}

// looked reports whether the service has looked up what the path names before it answered.
func (a *answered) looked() bool {
	keyRefused := a.code == apierr.IdempotencyInProgress.WireCode() || a.code == apierr.IdempotencyKeyReused.WireCode()
	return a.facts.Status < http.StatusInternalServerError && !keyRefused
}

// numberForm is the form of the numbers of orders and claims: a day of this century, after two letters at most, and what tells
// the numbers of a day apart: four characters, six without a letter anywhere.
var numberForm = regexp.MustCompile(`^[A-Z]{0,2}-?(20[0-9]{6})-?[0-9A-Z](?:-?[0-9A-Z]){3,}$`)

// isNumber reports whether a text has the form of the numbers of orders, claims, inquiries and items. Numbers of another form are
// kept only if they were found.
func isNumber(text string) bool {
	if len(text) == len(uuid.Nil.String()) && uuid.Validate(text) == nil {
		return true
	}
	parts := numberForm.FindStringSubmatch(text)
	if parts == nil || len(text) > 64 {
		return false
	}
	_, err := time.Parse("20060102", parts[1])
	return err == nil && (strings.ContainsAny(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") || len(strings.ReplaceAll(text, "-", "")) >= 14)
}

// products returns the products that a User-Agent begins with, in ASCII: not its comments, and no mail addresses, which are those
// of persons.
func products(text string) string {
	text, _, _ = strings.Cut(text[:min(len(text), maxUserAgent)], "(")
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, text)
	words := slices.DeleteFunc(strings.Fields(text), func(word string) bool { return strings.Contains(word, "@") })
	return strings.Join(words, " ")
}
