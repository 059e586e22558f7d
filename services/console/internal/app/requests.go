package app

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"connectrpc.com/connect"
	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/types/known/timestamppb"

	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/console/internal/pages"
)

// requests is the request log of the seller.
func (a *App) requests(r *request) (reply, error) {
	filter := pages.FilterFrom(r.Request.URL.Query())
	from, fromOK := instant(filter.From, false)
	until, untilOK := instant(filter.Until, true)
	if !fromOK || !untilOK {
		return reply{status: http.StatusUnprocessableEntity, page: pages.Requests{Filter: filter}}, nil
	}
	var answer *gatewayv1.ListRequestsResponse
	var keys []pages.Key
	group, ctx := errgroup.WithContext(r.ctx)
	group.Go(func() error { keys = a.choices(ctx, r); return nil })
	group.Go(func() (err error) {
		answer, err = a.Requests.ListRequests(ctx, &gatewayv1.ListRequestsRequest{
			SellerId: r.who.sellerID(), Actor: r.who.actor(), From: from, Until: until, KeyPrefix: filter.Key,
			Operation: filter.Operation, ErrorCode: filter.Code, RequestId: filter.RequestID, Record: filter.Record, After: filter.After,
		})
		return err
	})
	err := group.Wait()
	keys = recent(keys, isUsed)
	_, isInvalid := invalid(err)
	switch {
	case isInvalid:
		return reply{status: http.StatusUnprocessableEntity, page: pages.Requests{Filter: filter, Keys: keys}}, nil
	case isGatewayCode(err, connect.CodeResourceExhausted):
		return reply{status: http.StatusRequestEntityTooLarge, page: pages.TooMuch{Narrow: pages.RequestsPath}}, nil
	case err != nil:
		return reply{}, err
	}
	return show(pages.Requests{Filter: filter, Calls: callViews(answer.GetRequests()), Older: answer.GetNext(), Keys: keys})
}

// filterKeys returns the keys among which a reader may choose: those that the log knows, because a developer may not list keys.
func (a *App) filterKeys(ctx context.Context, r *request) ([]pages.Key, error) {
	uses, err := a.Requests.ListKeyUses(ctx, &gatewayv1.ListKeyUsesRequest{SellerId: r.who.sellerID(), Actor: r.who.actor()})
	if err != nil {
		return nil, err
	}
	keys := make([]pages.Key, len(uses.GetUses()))
	for i, use := range uses.GetUses() {
		keys[i] = pages.Key{ID: use.GetKeyId(), Prefix: use.GetKeyPrefix(), LastUsedAt: timeOf(use.GetLastUsedAt())}
	}
	return keys, nil
}

// choices are the keys of the filter; none if it takes long to find them, as for a seller with many calls.
func (a *App) choices(ctx context.Context, r *request) []pages.Key {
	ctx, cancel := context.WithTimeout(ctx, usesTimeout)
	defer cancel()
	keys, err := a.filterKeys(ctx, r)
	if err != nil {
		a.log.LogAttrs(ctx, slog.LevelWarn, "the request log is shown without a choice of keys", slog.Any("error", err))
	}
	return keys
}

func isUsed(key pages.Key) bool { return !key.LastUsedAt.IsZero() }

// instantForms are how people write times; those without an offset are in UTC.
var instantForms = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04",
}

// instant reads a time, nil for none. A date as the end of a range is its end.
func instant(text string, end bool) (*timestamppb.Timestamp, bool) {
	if text == "" {
		return nil, true
	}
	if date, err := time.Parse(time.DateOnly, text); err == nil {
		if end {
			date = date.Add(day - time.Microsecond)
		}
		return timestamppb.New(date), true
	}
	for _, form := range instantForms {
		if at, err := time.Parse(form, text); err == nil {
			return timestamppb.New(at), true
		}
	}
	return nil, false
}

// around is the time before and after a call in which other calls on its record are shown, aroundMost how many of them.
const (
	around     = 24 * time.Hour
	aroundMost = 50
)

// call is one call with what its record is now, and the calls on it around this one.
func (a *App) call(r *request) (reply, error) {
	id := r.Param("call")
	if err := requireUUID(id); err != nil {
		return reply{}, err
	}
	answer, err := a.Requests.GetRequest(r.ctx, &gatewayv1.GetRequestRequest{
		SellerId: r.who.sellerID(), Actor: r.who.actor(), Id: &gatewayv1.GetRequestRequest_LogId{LogId: id},
	})
	if err != nil {
		return reply{}, err
	}
	view := pages.Request{Call: callView(answer.GetRequest())}
	if view.Call.Record == "" {
		return show(view)
	}
	group, ctx := errgroup.WithContext(r.ctx)
	group.Go(func() error { view.Record = a.now(ctx, r.who.sellerID(), &view.Call); return nil })
	group.Go(func() (err error) { view.Around, err = a.callsAround(ctx, r, &view.Call); return err })
	if err := group.Wait(); err != nil {
		return reply{}, err
	}
	return show(view)
}

// callsAround returns the calls on the record of a call around it.
func (a *App) callsAround(ctx context.Context, r *request, call *pages.Call) ([]pages.Call, error) {
	near, err := a.Requests.ListRequests(ctx, &gatewayv1.ListRequestsRequest{
		SellerId: r.who.sellerID(), Actor: r.who.actor(), Record: call.Record, Limit: aroundMost,
		From: timestamppb.New(call.At.Add(-around)), Until: timestamppb.New(call.At.Add(around)),
	})
	if err != nil {
		return nil, err
	}
	return callViews(near.GetRequests()), nil
}
