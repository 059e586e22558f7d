package store

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/gateway/internal/requestlog"
)

var requestColumns = []string{
	"seller_id", "at", "id", "key_id", "micros", "status", "row_count", "operation", "request_id", "trace_id", "record", "query",
	"error_code", "error_data", "idempotency", "key_digest", "client", "user_agent",
}

// WriteRequests writes entries of the request log, all or none; those that were written before are not written again.
func (s *Store) WriteRequests(ctx context.Context, entries []requestlog.Entry) error {
	err := s.copyRequests(ctx, entries)
	if stateOf(err) == noPartition {
		if err = s.addRequestDays(ctx, entries); err == nil {
			err = s.copyRequests(ctx, entries)
		}
	}
	if stateOf(err) == duplicate {
		return nil // the ids are random: the commit of an earlier attempt was lost
	}
	return postgres.Wrap("write requests", postgres.Classify(err))
}

const (
	noPartition = "23514" // check_violation: the table has no other check
	duplicate   = "23505" // unique_violation
)

func stateOf(err error) string {
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok {
		return refused.Code
	}
	return ""
}

func (s *Store) copyRequests(ctx context.Context, entries []requestlog.Entry) error {
	_, err := s.pool.CopyFrom(ctx, pgx.Identifier{"requests"}, requestColumns,
		pgx.CopyFromSlice(len(entries), func(i int) ([]any, error) {
			e := &entries[i]
			return []any{
				e.SellerID, e.At, e.ID, e.KeyID, int32(min(e.Took.Microseconds(), maxMicros)), int16(e.Status), //nolint:gosec // in range
				int16(e.Rows), e.Operation, e.RequestID, bytesOrNull(e.TraceID), present(e.Record), //nolint:gosec // a page
				present(e.Query), present(e.Code), jsonOrNull(e.Data), present(string(e.Idempotency)), bytesOrNull(e.KeyDigest),
				e.Client.Unmap(), present(e.UserAgent),
			}, nil
		}))
	return err
}

// maxMicros is more than any call takes: 35 minutes.
const maxMicros = 1<<31 - 1

func present(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func jsonOrNull(data []byte) any {
	if len(data) == 0 {
		return nil
	}
	return string(data)
}

func bytesOrNull(data []byte) any {
	if len(data) == 0 {
		return nil
	}
	return data
}

func (s *Store) addRequestDays(ctx context.Context, entries []requestlog.Entry) error {
	added := map[time.Time]bool{}
	for _, e := range entries {
		day := requestlog.DayOf(e.At)
		if added[day] {
			continue
		}
		if err := s.addRequestDay(ctx, day); err != nil {
			return err
		}
		added[day] = true
	}
	return nil
}

func (s *Store) addRequestDay(ctx context.Context, day time.Time) error {
	_, err := s.pool.Exec(ctx, queries.SQL("AddRequestDay"), day)
	return err
}

// RequestDays is the sweep that makes the days of the request log and drops those beyond the limits.
func (s *Store) RequestDays(limits requestlog.Limits, tel *telemetry.Telemetry) sweep.Sweep {
	dropped := tel.Counter(telemetry.RequestLogPartitionsDropped)
	for _, reason := range []string{droppedOld, droppedLarge} {
		dropped.WithLabelValues(reason)
	}
	return sweep.Always("keep_request_days", 10*time.Minute, sweep.Item{
		Key: "requests", Do: func(ctx context.Context) error {
			return postgres.Wrap("keep the days of the request log", postgres.Classify(s.keepRequestDays(ctx, limits, time.Now(), tel)))
		},
	})
}

// Why a day was dropped, as metric label.
const (
	droppedOld   = "days"
	droppedLarge = "bytes"
)

func (s *Store) keepRequestDays(
	ctx context.Context, limits requestlog.Limits, now time.Time, tel *telemetry.Telemetry,
) error {
	days, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByPos[requestlog.Day], queries.SQL("ListRequestDays"))
	if err != nil {
		return err
	}
	for _, day := range requestlog.Missing(days, now) {
		if err := s.addRequestDay(ctx, day); err != nil {
			return err
		}
	}
	old, large, over := limits.Excess(days, now)
	tel.Gauge(telemetry.RequestLogBytesOver).WithLabelValues().Set(float64(over))
	return errors.Join(s.dropRequestDays(ctx, old, droppedOld, tel), s.dropRequestDays(ctx, large, droppedLarge, tel))
}

func (s *Store) dropRequestDays(ctx context.Context, days []requestlog.Day, reason string, tel *telemetry.Telemetry) error {
	for _, day := range days {
		if _, err := s.pool.Exec(ctx, queries.SQL("DropRequestDay"), day.Begins); err != nil {
			return err
		}
		tel.Counter(telemetry.RequestLogPartitionsDropped).WithLabelValues(reason).Inc()
		level := map[string]slog.Level{droppedOld: slog.LevelInfo, droppedLarge: slog.LevelWarn}[reason]
		tel.Logger.LogAttrs(ctx, level, "a day of the request log was dropped", slog.String("limit", reason),
			slog.String("day", day.Begins.Format(time.DateOnly)), slog.Int64("bytes", day.Bytes))
	}
	return nil
}
