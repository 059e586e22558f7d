package pages

import "net/url"

// The addresses of the pages, and of the forms on them.
const (
	HomePath     = "/"
	SignInPath   = "/sign-in"
	SignOutPath  = "/sign-out" // POST
	EndAllPath   = "/sign-out/everywhere"
	SellerPath   = "/seller"   // GET: the page; POST: FieldSeller or FieldCall, FieldNext
	LanguagePath = "/language" // POST: FieldLanguage, FieldNext
	KeysPath     = "/keys"     // POST: issues
	NewKeyPath   = "/keys/new"
	RequestsPath = "/requests"
	UsagePath    = "/usage"    // FieldWindow, FieldKey
	WebhooksPath = "/webhooks" // POST: adds
	GoLivePath   = "/go-live"
	AssetsPath   = "/assets/"
)

// The names of fields of forms.
const (
	FieldSeller   = "seller"
	FieldCall     = "call" // a request id
	FieldNext     = "next"
	FieldLanguage = "language"
	FieldOnce     = "request_id" // makes a form that is sent twice one change
	FieldPurpose  = "purpose"
	FieldScope    = "scope" // several
	FieldExpiry   = "expiry"
	FieldDay      = "expires_on" // of FieldExpiry ExpiryDay
	FieldPrefix   = "prefix"
	FieldReason   = "reason"
	FieldURL      = "url"
	FieldWindow   = "window"
	FieldKey      = "key"
	FieldBefore   = "before"
	FieldNewKey   = "new"
)

// RevealPath is where a form asks for the text of a key (POST).
func RevealPath(keyID string) string { return KeysPath + "/" + url.PathEscape(keyID) + "/reveal" }

// RevokePath is the page on which a key is revoked, and where its form goes.
func RevokePath(keyID string) string { return KeysPath + "/" + url.PathEscape(keyID) + "/revoke" }

// RotationPath is the page that walks through the rotation of a key.
func RotationPath(keyID string) string { return KeysPath + "/" + url.PathEscape(keyID) + "/rotation" }

// RequestPath is the page of one call.
func RequestPath(logID string) string { return RequestsPath + "/" + url.PathEscape(logID) }

// WebhookPath is the page of an address with its deliveries.
func WebhookPath(webhookID string) string { return WebhooksPath + "/" + url.PathEscape(webhookID) }

// WebhookAction is where a form does something to an address (POST): test, pause, resume, rotate, remove. remove is a page too.
func WebhookAction(webhookID, action string) string { return WebhookPath(webhookID) + "/" + action }
