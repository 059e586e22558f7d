package app

import (
	"regexp"
	"strings"

	"sellerapi.dev/services/console/internal/pages"
)

// Why a person has to sign in, by the names that addresses have for it.
const (
	whyEnded   = "ended"
	whyExpired = "expired"
	whyRefused = "refused"
)

var whys = map[string]pages.Word{
	whyEnded: pages.SignInEnded, whyExpired: pages.SignInExpired, whyRefused: pages.SignInRefused,
}

// What was done, by the names that the cookie of the notice has for it; a value follows after a dot.
const (
	doneRevoked  = "revoked"
	doneRevoking = "revoking"
	donePaused   = "paused"
	doneResumed  = "resumed"
	doneRemoved  = "removed"
	notTested    = "busy"
	formSpent    = "spent"
)

var notices = map[string]pages.Notice{
	doneRevoked: {Word: pages.DoneRevoked}, doneRevoking: {Word: pages.DoneRevoking}, donePaused: {Word: pages.DonePaused},
	doneResumed: {Word: pages.DoneResumed}, doneRemoved: {Word: pages.DoneRemoved}, notTested: {Word: pages.NotTested, Bad: true},
	formSpent: {Word: pages.FormSpent, Bad: true},
}

var noticeValue = regexp.MustCompile(`^\w{1,20}$`)

// readNotice reads the value of the cookie, nil for none that the console has set.
func readNotice(text string) *pages.Notice {
	name, value, hasValue := strings.Cut(text, ".")
	notice, known := notices[name]
	switch {
	case !known, hasValue != (name == doneRevoked), hasValue && !noticeValue.MatchString(value):
		return nil
	case hasValue:
		notice.Values = []any{value}
	}
	return &notice
}
