package app

import (
	"context"
	"log/slog"
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
	list, err := a.keysInUse(r)
	if err != nil {
		return reply{}, err
	}
	shown := recent(list.keys, func(key pages.Key) bool { return key.State == pages.KeyActive })
	return show(pages.Keys{
		Keys: shown, Older: int64(len(list.keys) - len(shown)), Logged: list.logged, Unread: list.unread != nil,
	})
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

// usesTimeout is how long a page of keys waits for the request log.
const usesTimeout = 2 * time.Second

// keyList are the keys of a seller with their use, as far as the request log says. The log may be away, or slow for a seller with
// many calls: keys are listed and revoked all the same.
type keyList struct {
	keys   []pages.Key
	logged bool  // false if the installation has no request log
	unread error // why the log could not be read
}

// keysInUse returns every key of the seller with its use.
func (a *App) keysInUse(r *request) (list keyList, err error) {
	var uses *gatewayv1.ListKeyUsesResponse
	var counts []*gatewayv1.RequestCount
	limited, cancel := context.WithTimeout(r.ctx, usesTimeout)
	defer cancel()
	now := time.Now()
	log, ctx := errgroup.WithContext(limited)
	log.Go(func() (err error) {
		uses, err = a.Requests.ListKeyUses(ctx, &gatewayv1.ListKeyUsesRequest{SellerId: r.who.sellerID(), Actor: r.who.actor()})
		return err
	})
	log.Go(func() (err error) { counts, err = a.count(ctx, r, now.Add(-day), now); return err })
	if list.keys, err = a.listKeys(r.ctx, r); err != nil {
		return keyList{}, err
	}
	list.unread = log.Wait()
	list.logged = list.unread == nil
	switch {
	case isGatewayCode(list.unread, connect.CodeUnimplemented):
		list.unread = nil
	case list.unread != nil:
		a.log.LogAttrs(r.ctx, slog.LevelWarn, "keys are shown without their use", slog.Any("error", list.unread))
	default:
		list.use(uses.GetUses(), counts)
	}
	return list, nil
}

// use adds to each key when it was used, and how often.
func (l *keyList) use(uses []*gatewayv1.KeyUse, counts []*gatewayv1.RequestCount) {
	used, calls := map[string]time.Time{}, map[string]int64{}
	for _, use := range uses {
		used[use.GetKeyId()] = timeOf(use.GetLastUsedAt())
	}
	for _, count := range counts {
		calls[count.GetKeyId()] += count.GetCalls()
	}
	for i := range l.keys {
		key := &l.keys[i]
		key.UseRead, key.LastUsedAt, key.Calls = true, used[key.ID], calls[key.ID]
	}
}

// findKey returns a key of the seller, whose use is not known.
func (a *App) findKey(r *request, id string) (pages.Key, error) {
	list, err := a.listKeys(r.ctx, r)
	if err != nil {
		return pages.Key{}, err
	}
	return pick(list, id)
}

func pick(list []pages.Key, id string) (pages.Key, error) {
	at := slices.IndexFunc(list, func(key pages.Key) bool { return key.ID == id })
	if at < 0 {
		return pages.Key{}, errNoPage
	}
	return list[at], nil
}

const purposeIssue = "issue a key"

func (r *request) formOf(purpose string) session.Form {
	return session.Form{Subject: r.who.Person.Subject, Seller: r.who.sellerID(), Purpose: purpose}
}

// keyForm is the form that issues a key.
func (a *App) keyForm(r *request) (reply, error) {
	form := pages.KeyForm{}
	if id := r.Query(pages.FieldKey); id != "" {
		old, err := a.findKey(r, id)
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
		old, err := a.findKey(r, id)
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
	key, err := a.findKey(r, r.keyID())
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
	return a.revokeWith(r, pages.Problem{}, http.StatusOK)
}

func (a *App) revokeWith(r *request, problem pages.Problem, status int) (reply, error) {
	list, err := a.keysInUse(r)
	if err != nil {
		return reply{}, err
	}
	key, err := pick(list.keys, r.keyID())
	if err != nil {
		return reply{}, err
	}
	return reply{status: status, page: pages.Revoke{Key: key, Reason: r.form(pages.FieldReason), Problem: problem}}, nil
}

// revokeKey revokes a key whose first characters were typed.
func (a *App) revokeKey(r *request) (reply, error) {
	key, err := a.findKey(r, r.keyID())
	if err != nil {
		return reply{}, err
	}
	if strings.TrimRight(strings.TrimSpace(r.form(pages.FieldPrefix)), "…") != key.Prefix {
		return a.revokeWith(r, pages.Problem{Word: pages.PrefixMismatch}, http.StatusUnprocessableEntity)
	}
	_, err = a.Keys.RevokeKey(r.ctx, &gatewayv1.RevokeKeyRequest{
		SellerId: r.who.sellerID(), KeyId: key.ID, Actor: r.who.actor(), Reason: r.form(pages.FieldReason),
	})
	problems, isInvalid := invalid(err)
	switch {
	case isInvalid:
		problem := pages.Problem{Word: pages.KeyRefused, Detail: problems["reason"]}
		return a.revokeWith(r, problem, http.StatusUnprocessableEntity)
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
	list, err := a.keysInUse(r)
	if err != nil {
		return reply{}, err
	}
	old, err := pick(list.keys, r.keyID())
	if err != nil {
		return reply{}, err
	}
	if list.unread != nil {
		return reply{}, list.unread
	}
	view := pages.Rotation{Old: old, Now: time.Now()}
	for _, key := range list.keys {
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
