package store

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var boundToSeller = regexp.MustCompile(`where ([a-z]+\.)?seller_id = \$1`)

// A statement without the seller could show or change another seller's keys.
func TestStatements_boundToOneSeller(t *testing.T) {
	t.Parallel()
	const inBackground = "it is work in the background over all sellers; no seller gets to see it"
	const oneTrail = "the audit trail is one chain over all sellers"
	exempt := map[string]string{
		"LockAudit":                  oneTrail,
		"ReadAuditHead":              oneTrail,
		"ReadAudit":                  oneTrail,
		"ListActiveKeys":             inBackground,
		"FindHolder":                 "it is what finds out who the seller is",
		"ListUnpublishedRevocations": inBackground,
		"ListPublishedRevocations":   inBackground,
		"ListDueWebhooks":            inBackground,
		"ListOldDeliveries":          inBackground,
		"LocateRequest":              "it is what finds out whose a call is, for support",
		"CountPausedWebhooks":        inBackground,
		"AddRequestDay":              inBackground,
		"DropRequestDay":             inBackground,
		"ListRequestDays":            inBackground,
	}
	for _, name := range queries.Names() {
		statement := strings.Join(strings.Fields(queries.SQL(name)), " ")
		bound := boundToSeller.MatchString(statement) || strings.Contains(statement, "insert into")
		require.Equal(t, exempt[name] == "", bound, name)
	}
}
