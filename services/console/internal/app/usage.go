package app

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/web"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/console/internal/pages"
)

// longestCount is the longest time range whose calls the gateway counts at a time.
const longestCount = 7 * day

// count returns the numbers of calls of the seller in a time range of any length.
func (a *App) count(ctx context.Context, r *request, from, until time.Time) ([]*gatewayv1.RequestCount, error) {
	var all []*gatewayv1.RequestCount
	for from.Before(until) {
		end := from.Add(longestCount)
		if end.After(until) {
			end = until
		}
		answer, err := a.Requests.CountRequests(ctx, &gatewayv1.CountRequestsRequest{
			SellerId: r.who.sellerID(), Actor: r.who.actor(), From: timestamppb.New(from), Until: timestamppb.New(end),
		})
		if err != nil {
			return nil, err
		}
		all = append(all, answer.GetCounts()...)
		from = end
	}
	return all, nil
}

var windows = map[pages.Window]time.Duration{pages.LastHour: time.Hour, pages.LastDay: day, pages.LastFortnight: 14 * day}

// usage counts the calls of a window.
func (a *App) usage(r *request) (reply, error) {
	window := cmp.Or(pages.Window(r.Query(pages.FieldWindow)), pages.LastDay)
	length, known := windows[window]
	if !known {
		return reply{}, errNoPage
	}
	var keys []pages.Key
	var counts []*gatewayv1.RequestCount
	var limits pages.Limits
	now := time.Now().UTC()
	group, ctx := errgroup.WithContext(r.ctx)
	group.Go(func() (err error) { keys, err = a.filterKeys(ctx, r); return err })
	group.Go(func() (err error) { counts, err = a.count(ctx, r, now.Add(-length), now); return err })
	group.Go(func() error { limits = a.limits(ctx, r); return nil })
	if err := group.Wait(); err != nil {
		return reply{}, err
	}
	key := r.Query(pages.FieldKey)
	if key != "" {
		if !slices.ContainsFunc(keys, func(one pages.Key) bool { return one.ID == key }) {
			return reply{}, errNoPage
		}
		counts = slices.DeleteFunc(counts, func(count *gatewayv1.RequestCount) bool { return count.GetKeyId() != key })
	}
	view := summarize(counts, now.Add(-length), now, stepOf(window))
	view.Window, view.Key, view.Limits = window, key, limits
	view.Keys = recent(keys, func(one pages.Key) bool { return isUsed(one) || one.ID == key })
	return show(view)
}

// limits returns what the active keys of the seller have used of their limits. A failure is shown in its place.
func (a *App) limits(ctx context.Context, r *request) pages.Limits {
	answer, err := a.Requests.ListLimitUses(ctx, &gatewayv1.ListLimitUsesRequest{SellerId: r.who.sellerID(), Actor: r.who.actor()})
	if err != nil {
		a.log.LogAttrs(ctx, slog.LevelWarn, "limits cannot be shown", slog.String("request_id", web.RequestID(ctx)),
			slog.Any("error", err))
		return pages.Limits{Away: true}
	}
	var view pages.Limits
	for _, use := range answer.GetUses() {
		view.Window = use.GetWindow().AsDuration()
		view.Keys = append(view.Keys, pages.KeyLimits{
			Prefix: use.GetKeyPrefix(), Reads: limitView(use.GetReads()), Rows: limitView(use.GetRows()),
			Processes: limitView(use.GetProcesses()),
		})
	}
	return view
}

func limitView(used *gatewayv1.Used) pages.Limit {
	return pages.Limit{Used: used.GetNumber(), Max: used.GetLimit()}
}

// stepOf returns the length of a step of the drawing.
func stepOf(window pages.Window) time.Duration {
	if window == pages.LastFortnight {
		return day
	}
	return time.Hour
}

// summarize sums counts by step, operation and refusal. Every step is there, also those without calls.
//
// The percentiles of several counts together are not known; the greatest of them is an upper bound of that of all, because in
// each of the counts as large a part of the calls was not slower. It is of calls that succeeded.
func summarize(counts []*gatewayv1.RequestCount, from, until time.Time, step time.Duration) pages.Usage {
	steps := map[time.Time]*pages.UsageStep{}
	operations, refusals := map[string]*pages.UsageOperation{}, map[pages.UsageRefusal]int64{}
	var view pages.Usage
	for at := from.Truncate(step); at.Before(until); at = at.Add(step) {
		view.Steps = append(view.Steps, pages.UsageStep{At: at})
	}
	for i := range view.Steps {
		steps[view.Steps[i].At] = &view.Steps[i]
	}
	for _, count := range counts {
		operation := operations[count.GetOperation()]
		if operation == nil {
			operation = &pages.UsageOperation{Operation: count.GetOperation()}
			operations[count.GetOperation()] = operation
		}
		at := steps[count.GetHour().AsTime().Truncate(step)]
		if at == nil { // of an hour that began before the first step
			at = &pages.UsageStep{}
		}
		add(count, operation, at)
		if count.GetStatus() >= http.StatusBadRequest {
			refusals[pages.UsageRefusal{Status: int(count.GetStatus()), Code: count.GetErrorCode()}] += count.GetCalls()
		}
	}
	for _, operation := range operations {
		view.Operations = append(view.Operations, *operation)
	}
	slices.SortFunc(view.Operations, func(a, b pages.UsageOperation) int { return cmp.Compare(a.Operation, b.Operation) })
	for refusal, calls := range refusals {
		refusal.Calls = calls
		view.Refusals = append(view.Refusals, refusal)
	}
	slices.SortFunc(view.Refusals, func(a, b pages.UsageRefusal) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Status, b.Status), cmp.Compare(a.Code, b.Code))
	})
	return view
}

func add(count *gatewayv1.RequestCount, operation *pages.UsageOperation, step *pages.UsageStep) {
	calls := count.GetCalls()
	switch status := count.GetStatus(); {
	case status < http.StatusBadRequest:
		operation.Succeeded += calls
		step.Succeeded += calls
		operation.P50 = max(operation.P50, count.GetP50().AsDuration())
		operation.P95 = max(operation.P95, count.GetP95().AsDuration())
	case status < http.StatusInternalServerError:
		operation.Refused += calls
		step.Refused += calls
	default:
		operation.Failed += calls
		step.Failed += calls
	}
	operation.Rows += count.GetRows()
	step.Rows += count.GetRows()
}

// goLive is the sheet of what the systems of the seller have shown in 14 days.
func (a *App) goLive(r *request) (reply, error) {
	now := time.Now().UTC()
	view := pages.GoLive{From: now.Add(-14 * day), Until: now}
	var counts []*gatewayv1.RequestCount
	group, ctx := errgroup.WithContext(r.ctx)
	group.Go(func() (err error) { counts, err = a.count(ctx, r, view.From, view.Until); return err })
	group.Go(func() (err error) { view.Keys, err = a.activeKeys(ctx, r); return err })
	group.Go(func() (err error) { view.Webhooks, err = a.listWebhooks(ctx, r); return err })
	if err := group.Wait(); err != nil {
		return reply{}, err
	}
	for _, operation := range summarize(counts, view.From, view.Until, day).Operations {
		calls := operation.Succeeded + operation.Refused + operation.Failed
		view.Operations = append(view.Operations, pages.GoLiveOperation{
			Operation: operation.Operation, Succeeded: operation.Succeeded, Calls: calls,
		})
		view.Calls += calls
	}
	for _, count := range counts {
		judge(&view, count)
	}
	return show(view)
}

// activeKeys returns the active keys of the seller with their last uses.
func (a *App) activeKeys(ctx context.Context, r *request) ([]pages.Key, error) {
	keys, err := a.listKeys(ctx, r)
	if err != nil {
		return nil, err
	}
	uses, err := a.filterKeys(ctx, r)
	if err != nil {
		return nil, err
	}
	used := map[string]time.Time{}
	for _, use := range uses {
		used[use.ID] = use.LastUsedAt
	}
	keys = slices.DeleteFunc(keys, func(key pages.Key) bool { return key.State != pages.KeyActive })
	for i := range keys {
		keys[i].LastUsedAt = used[keys[i].ID]
	}
	return keys, nil
}

func judge(view *pages.GoLive, count *gatewayv1.RequestCount) {
	calls := count.GetCalls()
	if count.GetErrorCode() == string(apierr.IdempotencyKeyReused) {
		view.Reused += calls
		return
	}
	switch count.GetStatus() {
	case http.StatusTooManyRequests:
		view.Limited += calls
	case http.StatusUnauthorized, http.StatusForbidden:
		view.Denied += calls
	case http.StatusBadRequest, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity:
		view.Invalid += calls
	}
}
