package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/gateway/internal/audit"
	"sellerapi.dev/services/gateway/internal/store"
)

// Audit are the commands that read the audit trail. They need access to the database but no secret.
type Audit struct {
	Verify verifyAudit `cmd:"" help:"Verify the chain of the audit trail from its beginning, and print its head, to be stored elsewhere."`
	Export exportAudit `cmd:"" help:"Verify and print the audit trail, one JSON object per line."`
}

type onTrail struct {
	Postgres postgres.Config `embed:""`
}

// walk verifies each entry, passes it to each, and returns the chain. Errors: *audit.BrokenError, database errors, those of each.
func (c *onTrail) walk(ctx context.Context, each func(audit.Entry) error) (chain audit.Chain, err error) {
	err = Schema.WithPool(ctx, c.Postgres, func(pool *postgres.Pool) error {
		for entry, err := range store.New(pool).Trail(ctx, 0) {
			if err != nil {
				return err
			}
			if err := chain.Add(entry); err != nil {
				return err
			}
			if err := each(entry); err != nil {
				return err
			}
		}
		return nil
	})
	return chain, err
}

type verifyAudit struct {
	onTrail
	Head string `help:"Head that the command printed earlier, as NUMBER:DIGEST; the trail must still contain it. Without it, missing entries at the end are not detected."`
}

// errHeadMissing says that the trail is consistent but does not contain the given head.
var errHeadMissing = errors.New("the audit trail does not contain the given head: entries are missing, or it was rewritten")

// Run verifies the trail.
func (c *verifyAudit) Run(ctx context.Context, out io.Writer) error {
	expected, found := audit.Head{}, c.Head == ""
	if !found {
		var err error
		if expected, err = audit.ParseHead(c.Head); err != nil {
			return err
		}
	}
	chain, err := c.walk(ctx, func(e audit.Entry) error {
		found = found || audit.Head{ID: e.ID, Digest: e.Digest} == expected
		return nil
	})
	switch {
	case err != nil:
		return err
	case !found:
		return errHeadMissing
	}
	_, err = fmt.Fprintf(out, "%d entries verified. Head: %s\n", chain.Entries, chain.Head)
	return err
}

type exportAudit struct {
	onTrail
	After int64 `help:"Number of the entry after which the export begins. The chain is always verified from its beginning."`
}

// Run prints the trail. A broken entry ends it with an error, after all entries before it.
func (c *exportAudit) Run(ctx context.Context, out io.Writer) error {
	lines := json.NewEncoder(out)
	_, err := c.walk(ctx, func(e audit.Entry) error {
		if e.ID <= c.After {
			return nil
		}
		return lines.Encode(exported(e))
	})
	return err
}

// auditView is an exported entry. The fields are digested in this form; see audit.Entry.After.
type auditView struct {
	ID     int64      `json:"id"`
	At     string     `json:"at"`
	Caller string     `json:"caller"`
	Actor  string     `json:"actor"`
	Action string     `json:"action"`
	Seller *uuid.UUID `json:"seller_id"`
	Key    *uuid.UUID `json:"key_id"`
	Detail string     `json:"detail"`
	Digest string     `json:"digest"`
}

func exported(e audit.Entry) auditView {
	return auditView{
		ID: e.ID, At: e.At.UTC().Format(audit.TimeFormat), Caller: e.Author.Caller, Actor: e.Author.Actor, Action: string(e.Action),
		Seller: e.SellerID, Key: e.KeyID, Detail: e.Detail, Digest: e.Digest.String(),
	}
}
