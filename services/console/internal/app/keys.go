package app

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/types/known/timestamppb"

	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/console/internal/pages"
	"sellerapi.dev/services/console/internal/session"
)

// keys is the list of the keys of the seller.
func (a *App) keys(r *request) (reply, error) {
	list, logged, err := a.keysInUse(r)
	if err != nil {
		return reply{}, err
	}
	shown := recent(list, func(key pages.Key) bool { return key.State == pages.KeyActive })
	return show(pages.Keys{Keys: shown, Older: int64(len(list) - len(shown)), Logged: logged})
}

// maxRecent is how many of the newest keys pages list besides those that matter: a seller has every key that it ever had.
const maxRecent = 100

// recent returns the newest of the keys, which are in that order, and those that matter.
func recent(keys []pages.Key, matters func(pages.Key) bool) []pages.Key {
	if len(keys) <= maxRecent {
		return keys
	}
	shown := slices.Clone(keys[:maxRecent])
	for _, key := range keys[maxRecent:] {
		if matters(key) {
			shown = append(shown, key)
		}
	}
	return shown
}

// listKeys returns every key of the seller, newest first.
func (a *App) listKeys(ctx context.Context, r *request) ([]pages.Key, error) {
	answer, err := a.Keys.ListKeys(ctx, &gatewayv1.ListKeysRequest{SellerId: r.who.sellerID(), Actor: r.who.actor()})
	if err != nil {
		return nil, err
	}
	list := make([]pages.Key, len(answer.GetKeys()))
	for i, key := range answer.GetKeys() {
		list[i] = keyView(key)
	}
	return list, nil
}

const day = 24 * time.Hour

// keysInUse returns every key of the seller with its use; logged is false if the installation has no request log.
func (a *App) keysInUse(r *request) (list []pages.Key, logged bool, err error) {
	var uses *gatewayv1.ListKeyUsesResponse
	var counts []*gatewayv1.RequestCount
	var unlogged error
	now := time.Now()
	group, ctx := errgroup.WithContext(r.ctx)
	group.Go(func() (err error) { list, err = a.listKeys(ctx, r); return err })
	group.Go(func() (err error) {
		uses, err = a.Requests.ListKeyUses(ctx, &gatewayv1.ListKeyUsesRequest{SellerId: r.who.sellerID(), Actor: r.who.actor()})
		if isGatewayCode(err, connect.CodeUnimplemented) {
			unlogged = err
			return nil
		}
		return err
	})
	group.Go(func() (err error) {
		counts, err = a.count(ctx, r, now.Add(-day), now)
		if isGatewayCode(err, connect.CodeUnimplemented) {
			return nil
		}
		return err
	})
	if err := group.Wait(); err != nil {
		return nil, false, err
	}
	used, calls := map[string]time.Time{}, map[string]int64{}
	for _, use := range uses.GetUses() {
		used[use.GetKeyId()] = timeOf(use.GetLastUsedAt())
	}
	for _, count := range counts {
		calls[count.GetKeyId()] += count.GetCalls()
	}
	for i := range list {
		list[i].LastUsedAt, list[i].Calls = used[list[i].ID], calls[list[i].ID]
	}
	return list, unlogged == nil, nil
}

// findKey returns a key of the seller with its use.
func (a *App) findKey(r *request, id string) (pages.Key, []pages.Key, error) {
	list, _, err := a.keysInUse(r)
	if err != nil {
		return pages.Key{}, nil, err
	}
	at := slices.IndexFunc(list, func(key pages.Key) bool { return key.ID == id })
	if at < 0 {
		return pages.Key{}, nil, errNoPage
	}
	return list[at], list, nil
}

const purposeIssue = "issue a key"

func (r *request) formOf(purpose string) session.Form {
	return session.Form{Subject: r.who.Person.Subject, Seller: r.who.sellerID(), Purpose: purpose}
}

// keyForm is the form that issues a key.
func (a *App) keyForm(r *request) (reply, error) {
	form := pages.KeyForm{}
	if id := r.Query(pages.FieldKey); id != "" {
		old, _, err := a.findKey(r, id)
		if err != nil {
			return reply{}, err
		}
		form.Rotates, form.Purpose, form.Scopes = &old, old.Purpose, old.Scopes
	}
	var err error
	if form.Once, err = a.Sessions.NewForm(r.ctx, r.formOf(purposeIssue)); err != nil {
		return reply{}, err
	}
	return show(form)
}

// issueKey issues a key and shows its text. A form that has issued one issues no other, and does not show the text again.
func (a *App) issueKey(r *request) (reply, error) {
	once := r.form(pages.FieldOnce)
	open, err := a.Sessions.FormOpen(r.ctx, once, r.formOf(purposeIssue))
	if err != nil {
		return reply{}, err
	}
	if !open {
		return done(pages.KeysPath, formSpent)
	}
	form := pages.KeyForm{
		Once: once, Purpose: r.form(pages.FieldPurpose), Expiry: r.form(pages.FieldExpiry), Day: r.form(pages.FieldDay),
		Scopes: r.Request.PostForm[pages.FieldScope],
	}
	if id := r.form(pages.FieldKey); id != "" {
		old, _, err := a.findKey(r, id)
		if err != nil {
			return reply{}, err
		}
		form.Rotates = &old
	}
	expires, ok := expiry(form.Expiry, form.Day, time.Now())
	if !ok {
		form.Problems = map[string]pages.Problem{pages.FieldExpiry: {Word: pages.DayInvalid}}
		return reply{status: http.StatusUnprocessableEntity, page: form}, nil
	}
	answer, err := a.Keys.IssueKey(r.ctx, &gatewayv1.IssueKeyRequest{
		SellerId: r.who.sellerID(), Scopes: form.Scopes, Purpose: form.Purpose, ExpiresAt: expires, Actor: r.who.actor(),
		RequestId: once,
	})
	if err != nil {
		return keyRefused(form, err)
	}
	if err := a.Sessions.CloseForm(r.ctx, once); err != nil {
		return reply{}, err
	}
	text := pages.KeyText{Key: keyView(answer.GetKey()), Text: answer.GetText(), Issued: true}
	if form.Rotates != nil {
		text.Rotates = form.Rotates.ID
	}
	return reply{page: text, leave: pages.KeysPath}, nil
}

// keyRefused shows the form again with what the gateway says of it.
func keyRefused(form pages.KeyForm, err error) (reply, error) {
	fields := map[string]string{"purpose": pages.FieldPurpose, "scopes": pages.FieldScope, "expires_at": pages.FieldExpiry}
	form.Problems = map[string]pages.Problem{}
	if problems, ok := invalid(err); ok {
		for field, detail := range problems {
			form.Problems[fields[field]] = pages.Problem{Word: pages.KeyRefused, Detail: detail}
		}
		return reply{status: http.StatusUnprocessableEntity, page: form}, nil
	}
	if text, ok := refusalText(err); ok {
		form.Problems[""] = pages.Problem{Word: pages.KeyLimit, Detail: text}
		return reply{status: http.StatusConflict, page: form}, nil
	}
	return reply{}, err
}

// expiry returns when a key expires, nil for never. A day ends at its end in UTC.
func expiry(choice, date string, now time.Time) (*timestamppb.Timestamp, bool) {
	switch choice {
	case pages.ExpiryNever:
		return nil, true
	case pages.ExpiryQuarter:
		return timestamppb.New(now.Add(90 * day)), true
	case pages.ExpiryYear, "":
		return timestamppb.New(now.Add(365 * day)), true
	case pages.ExpiryDay:
		at, err := time.Parse(time.DateOnly, date)
		return timestamppb.New(at.Add(day)), err == nil
	default:
		return nil, false
	}
}

// keyID returns the key of the address.
func (r *request) keyID() string { return r.Param("key") }

// revealKey shows the text of a key again, to a person who has signed in a short time ago.
func (a *App) revealKey(r *request) (reply, error) {
	if !r.who.isFresh(a.Fresh) {
		return a.askForFreshSignIn(pages.KeysPath)
	}
	key, _, err := a.findKey(r, r.keyID())
	if err != nil {
		return reply{}, err
	}
	answer, err := a.Keys.RevealKey(r.ctx, &gatewayv1.RevealKeyRequest{
		SellerId: r.who.sellerID(), KeyId: key.ID, Actor: r.who.actor(),
	})
	if err != nil {
		return reply{}, err
	}
	return reply{page: pages.KeyText{Key: key, Text: answer.GetText()}, leave: pages.KeysPath}, nil
}

func (a *App) revokeForm(r *request) (reply, error) {
	key, _, err := a.findKey(r, r.keyID())
	if err != nil {
		return reply{}, err
	}
	return show(pages.Revoke{Key: key})
}

// revokeKey revokes a key whose first characters were typed.
func (a *App) revokeKey(r *request) (reply, error) {
	key, _, err := a.findKey(r, r.keyID())
	if err != nil {
		return reply{}, err
	}
	form := pages.Revoke{Key: key, Reason: r.form(pages.FieldReason)}
	if strings.TrimRight(strings.TrimSpace(r.form(pages.FieldPrefix)), "…") != key.Prefix {
		form.Problem = pages.Problem{Word: pages.PrefixMismatch}
		return reply{status: http.StatusUnprocessableEntity, page: form}, nil
	}
	_, err = a.Keys.RevokeKey(r.ctx, &gatewayv1.RevokeKeyRequest{
		SellerId: r.who.sellerID(), KeyId: key.ID, Actor: r.who.actor(), Reason: form.Reason,
	})
	problems, isInvalid := invalid(err)
	switch {
	case isInvalid:
		form.Problem = pages.Problem{Word: pages.KeyRefused, Detail: problems["reason"]}
		return reply{status: http.StatusUnprocessableEntity, page: form}, nil
	case err != nil && a.isRevoked(r, key.ID):
		return done(pages.KeysPath, doneRevoking)
	case err != nil:
		return reply{}, err
	}
	return done(pages.KeysPath, doneRevoked+"."+key.Prefix)
}

// isRevoked reports whether a key is revoked although the call that revoked it has failed: a gateway may not have confirmed yet.
func (a *App) isRevoked(r *request, id string) bool {
	list, err := a.listKeys(r.ctx, r)
	return err == nil && slices.ContainsFunc(list, func(key pages.Key) bool {
		return key.ID == id && key.State == pages.KeyRevoked
	})
}

// rotation walks through the replacement of a key.
func (a *App) rotation(r *request) (reply, error) {
	old, list, err := a.findKey(r, r.keyID())
	if err != nil {
		return reply{}, err
	}
	view := pages.Rotation{Old: old, Now: time.Now()}
	for _, key := range list {
		switch {
		case key.ID == old.ID:
		case key.ID == r.Query(pages.FieldNewKey):
			view.New = &key
		case key.State == pages.KeyActive:
			view.Candidates = append(view.Candidates, key)
		}
	}
	if view.New == nil && r.Query(pages.FieldNewKey) != "" {
		return reply{}, errNoPage
	}
	return show(view)
}

// requireUUID refuses an id that the gateway would not read, such as one with braces, before it is asked.
func requireUUID(id string) error {
	if parsed, err := uuid.Parse(id); err != nil || parsed == uuid.Nil || len(id) != len(parsed.String()) {
		return errNoPage
	}
	return nil
}
