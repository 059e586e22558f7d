package pages

import (
	"time"

	"sellerapi.dev/pkg/apierr"
)

// Frame is what every page has.
type Frame struct {
	Language apierr.Lang
	// Person is who has signed in; the zero value stands for nobody, whom the frame offers nothing.
	Person Person
	// Sellers are those among which the person may choose; empty: any (support).
	Sellers []Seller
	// Seller is the chosen one, the zero value before a choice.
	Seller Seller
	// Path is the path and query of the page, to which the choice of a language returns.
	Path string
	// Docs is the address of the gateway as developers reach it, without a path; empty: the frame links to no documentation.
	Docs string
	// Notice is what was done last; nil if nothing.
	Notice *Notice
}

// Seller is a seller; Name is empty if the provider has not said it.
type Seller struct{ ID, Name string }

// Text is the name with the id, or the id alone.
func (s Seller) Text() string {
	if s.Name == "" {
		return s.ID
	}
	return s.Name + " · " + s.ID
}

// Person is who has signed in.
type Person struct {
	Name string
	Role Role
}

// Role is what a person may do for a seller.
type Role string

// The roles.
const (
	Representative Role = "representative"
	Developer      Role = "developer"
	Support        Role = "support"
)

// Notice is a sentence above the page: what was done.
type Notice struct {
	Word   Word
	Values []any
	// Bad marks one that says what was not done.
	Bad bool
}

// Page is a view model of this package: one page.
type Page interface{ about() about }

// Problem is what is wrong with a field of a form; Detail is added as it is, such as the message of the gateway.
type Problem struct {
	Word   Word
	Detail string
}

// SignIn is the page of people who have not signed in.
type SignIn struct {
	// Start is where the provider is asked, a path of the console with FieldNext in its query.
	Start string
	// Why is why the page is shown: one of the SignIn words, or empty.
	Why Word
	// SignOut is where the provider signs out a person who has signed out of the console; empty if there is nothing to do.
	SignOut string
}

// Sellers is the page on which a person chooses a seller, and support finds a call and its seller.
type Sellers struct {
	Next string
	// Call and Seller are what support has typed; the problems are the zero value unless that was refused.
	Call, Seller               string
	CallProblem, SellerProblem Problem
}

// KeyState is the state of a key.
type KeyState string

// The states of a key.
const (
	KeyActive  KeyState = "active"
	KeyRevoked KeyState = "revoked"
	KeyExpired KeyState = "expired"
)

// Key is a key without its text. Times that are zero are shown as never or not at all.
type Key struct {
	ID, Prefix, Purpose                        string
	Scopes                                     []string
	State                                      KeyState
	IssuedAt, ExpiresAt, RevokedAt, LastUsedAt time.Time
	// Calls are those of 24 hours.
	Calls int64
	// UseRead says that LastUsedAt and Calls were read from the request log.
	UseRead bool
}

// Keys is the list of the keys of a seller.
type Keys struct {
	Keys []Key
	// Older is how many further keys, none of them active, are not listed.
	Older int64
	// Logged is false where the installation has no request log, or, with Unread, where the log could not be read: last uses and
	// calls are unknown.
	Logged, Unread bool
}

// The values of FieldExpiry.
const (
	ExpiryNever   = "never"
	ExpiryQuarter = "90"
	ExpiryYear    = "365"
	ExpiryDay     = "day"
)

// KeyForm is the form that issues a key, empty or as it was sent.
type KeyForm struct {
	// Once is a new UUID, the same on every showing of one form.
	Once, Purpose, Expiry, Day string
	Scopes                     []string
	// Rotates is the key that the new one will replace, nil in general.
	Rotates *Key
	// Problems are those of fields by name; that of "" is of the whole.
	Problems map[string]Problem
}

// KeyText shows the text of a key for a minute.
type KeyText struct {
	Key  Key
	Text string
	// Issued says that the key is new.
	Issued bool
	// Rotates is the ID of the key that the new one replaces, if it does.
	Rotates string
}

// Revoke is the page on which a key is revoked.
type Revoke struct {
	Key    Key
	Reason string
	// Problem is the zero value unless the form was refused.
	Problem Problem
}

// Rotation walks through the replacement of a key by another.
type Rotation struct {
	Old Key
	// New is the chosen new key, nil before the choice.
	New *Key
	// Candidates are the other active keys.
	Candidates []Key
	Now        time.Time
}

// Call is a call as the request log has it.
type Call struct {
	ID                                             string
	At                                             time.Time
	KeyID, KeyPrefix, Operation, RequestID, Record string
	Query                                          string
	Status                                         int
	ErrorCode                                      string
	ErrorData                                      string // JSON
	Rows                                           int64
	Took                                           time.Duration
	Idempotency                                    Idempotency
	IdempotencyDigest, Client, UserAgent           string
	// TraceID is for support; empty if there is none.
	TraceID string
}

// Idempotency is what a call met with its idempotency key; empty if it had none.
type Idempotency string

// The outcomes.
const (
	IdempotencyFirst      Idempotency = "first"
	IdempotencyReplayed   Idempotency = "replayed"
	IdempotencyInProgress Idempotency = "in_progress"
	IdempotencyReused     Idempotency = "reused"
	IdempotencyGone       Idempotency = "gone"
)

// Requests is the log of a seller.
type Requests struct {
	Filter Filter
	Calls  []Call
	// Older is the cursor of the next page, empty on the last one.
	Older string
	// Keys are offered by the filter.
	Keys []Key
}

// Request is one call with those on the same record around it.
type Request struct {
	Call   Call
	Around []Call
	// Record is what the record of the call is now; nil if it has none.
	Record *Record
}

// Record is an order, claim or inquiry as the interface shows it.
type Record struct {
	// Missing is why the rest is empty: one of the Record words.
	Missing Word
	Facts   []Fact
	// Items are the columns of the table of items, each with a value for every item.
	Items []RecordColumn
}

// RecordColumn is a member of all items of a record.
type RecordColumn struct {
	Name   string
	Values []string
}

// Rows returns the items, each with a value for every column.
func (r *Record) Rows() [][]string {
	if len(r.Items) == 0 {
		return nil
	}
	rows := make([][]string, len(r.Items[0].Values))
	for _, column := range r.Items {
		for n, value := range column.Values {
			rows[n] = append(rows[n], value)
		}
	}
	return rows
}

// Fact is a name and a value of the interface, shown as they are.
type Fact struct{ Name, Value string }

// Window is a time range of the page of usage.
type Window string

// The windows.
const (
	LastHour      Window = "hour"
	LastDay       Window = "day"
	LastFortnight Window = "fortnight"
)

// Usage counts the calls of a window.
type Usage struct {
	Window Window
	// Key is the ID of the key whose calls are counted, empty for all of them; Keys are those to choose from.
	Key  string
	Keys []Key
	// Steps are the hours, or days of the fortnight, oldest first.
	Steps      []UsageStep
	Operations []UsageOperation
	Refusals   []UsageRefusal
	Limits     Limits
}

// Limits are what active keys have used of their limits now.
type Limits struct {
	// Away says that it cannot be read.
	Away bool
	// Window is the length of the window that ends now.
	Window time.Duration
	Keys   []KeyLimits
}

// KeyLimits is what a key has used.
type KeyLimits struct {
	Prefix                 string
	Reads, Rows, Processes Limit
}

// Limit is what was used of a limit, and how much it is.
type Limit struct{ Used, Max int64 }

// UsageStep counts the calls of an hour or a day.
type UsageStep struct {
	At time.Time
	// Failed are those with a 5xx status.
	Succeeded, Refused, Failed, Rows int64
}

// UsageOperation counts the calls of an operation.
type UsageOperation struct {
	Operation                        string
	Succeeded, Refused, Failed, Rows int64
	// P50 and P95 are shown where they are not zero.
	P50, P95 time.Duration
}

// UsageRefusal counts refusals with a status and code. Code is empty for those without.
type UsageRefusal struct {
	Status int
	Code   string
	Calls  int64
}

// WebhookState is the state of an address.
type WebhookState string

// The states of an address.
const (
	WebhookActive WebhookState = "active"
	WebhookPaused WebhookState = "paused"
	WebhookFailed WebhookState = "failed"
)

// Webhook is an address that is told about changes.
type Webhook struct {
	ID, URL                                           string
	State                                             WebhookState
	CreatedAt, PausedAt, FailingSince, OldSecretUntil time.Time
}

// Webhooks is the list of the addresses of a seller with the form that adds one.
type Webhooks struct {
	Webhooks []Webhook
	// Once and URL are of the form, Problem what is wrong with it.
	Once, URL string
	Problem   Problem
}

// WebhookSecret shows the secret of an address for a minute.
type WebhookSecret struct {
	Webhook Webhook
	Secret  string
	// Rotated says that the address had another one.
	Rotated bool
}

// Deliveries is the page of an address.
type Deliveries struct {
	Webhook    Webhook
	Deliveries []Delivery
	// Before is the ID of the delivery at which an older page begins, Older that of the next page.
	Before, Older string
	// Once is of the form that makes a new secret.
	Once string
	// Tested is the delivery of a test that was just made; nil if there was none.
	Tested *Delivery
}

// Delivery is one request that was sent to an address, or could not be sent.
type Delivery struct {
	ID, Type string
	At       time.Time
	// Status is 0 if there was no answer: Failure says why.
	Status  int
	Failure string
	Took    time.Duration
}

// Succeeded reports whether the answer was 2xx.
func (d Delivery) Succeeded() bool { return d.Status/100 == 2 }

// WebhookRemove is the page on which an address is removed.
type WebhookRemove struct{ Webhook Webhook }

// GoLive is the sheet of what a seller's systems have shown.
type GoLive struct {
	From, Until time.Time
	// Operations are those that were called, in any order; the sheet has a row for every one.
	Operations []GoLiveOperation
	// Calls are all, Limited those refused with 429, Reused those that met another call's idempotency key, Denied those without a
	// valid key or scope (401, 403), Invalid those with a malformed request (400, 415, 422).
	Calls, Limited, Reused, Denied, Invalid int64
	Keys                                    []Key
	Webhooks                                []Webhook
}

// GoLiveOperation is an operation as it was called.
type GoLiveOperation struct {
	Operation        string
	Succeeded, Calls int64
}

// Failed is the page of a failure of the console or of a part behind it.
type Failed struct {
	// Part is what failed: one of the Part words.
	Part Word
	// RequestID is for support.
	RequestID string
	// Retry is the address to try again, empty if that is pointless.
	Retry string
}

// NoRight is the page of what a person may not do; Need is the role that may.
type NoRight struct{ Need Role }

// NotFound is the page of what does not exist, or is another seller's.
type NotFound struct{}

// Unlogged is the page where the installation has no request log.
type Unlogged struct{}

// TooMuch is the page of a log that is too large for what was asked.
type TooMuch struct {
	// Narrow is the address of the form that narrows it.
	Narrow string
}
