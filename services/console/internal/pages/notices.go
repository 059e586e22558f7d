package pages

// The words that handlers choose: why the sign-in page is shown, what was done, what is wrong, which part failed,
// and why a record is not shown.
const (
	SignInEnded   Word = "signin.ended"
	SignInExpired Word = "signin.expired"
	SignInFresh   Word = "signin.fresh"
	SignInRefused Word = "signin.refused"
	SignInNoRole  Word = "signin.noRole"

	DoneRevoked  Word = "keys.revokedNotice" // with the first 12 characters
	DoneRevoking Word = "revoke.pending"
	DoneRemoved  Word = "webhooks.removedNotice"
	DonePaused   Word = "webhooks.pausedNotice"
	DoneResumed  Word = "webhooks.resumedNotice"
	NotTested    Word = "deliveries.busy"
	FormSpent    Word = "form.spent"

	SellerMalformed Word = "sellers.malformed"
	CallUnknown     Word = "sellers.callUnknown"

	PurposeMissing Word = "keyform.purposeMissing"
	ScopeMissing   Word = "keyform.scopeMissing"
	DayInvalid     Word = "keyform.dayInvalid"
	KeyLimit       Word = "keyform.limit"
	KeyRefused     Word = "keyform.refused"
	PrefixMismatch Word = "revoke.mismatch"
	URLInvalid     Word = "webhooks.urlInvalid"

	RecordUnknown Word = "request.nowUnknown"
	RecordAway    Word = "request.nowAway"

	PartGateway  Word = "failed.gateway"
	PartProvider Word = "failed.provider"
	PartSessions Word = "failed.sessions"
	PartConsole  Word = "failed.console"
	PartRequest  Word = "failed.request"
)
