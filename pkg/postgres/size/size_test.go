package size_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/postgres/size"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// migrations create a table of things with row-level security by seller, its directory, the inbox, and a table in two partitions.
var migrations = fstest.MapFS{"00001_things.sql": {Data: []byte(`-- +goose Up
create table things (seller_id uuid not null, id bigint not null, made_at timestamptz not null, note text, primary key (seller_id, id));
create policy seller_wall on things using (coalesce(seller_id = nullif(current_setting('app.seller', true), '')::uuid, true));
alter table things enable row level security, force row level security;
create table thing_ids (id bigint primary key, seller_id uuid not null);
create table inbox (digest bytea primary key);
create table inbox_answers (digest bytea primary key, body bytea not null);
create table parts (id bigint not null, half int not null, primary key (id, half)) partition by list (half);
create table parts_1 partition of parts for values in (1);
create table parts_2 partition of parts for values in (2);`)}}

// thing is the record of the test's schema.
var thing = size.Record{
	Singular: "thing", Plural: "things", Table: "thing_ids", Basis: "things.made_at",
	Time: "(select s.made_at from things s where s.seller_id = t.seller_id and s.id = t.id)",
}

// filled returns a schema with things that were created at intervals of a minute up to now, for a role that is subject to policies.
func filled(t *testing.T, things int) *pgtest.DB {
	t.Helper()
	db := pgtest.New(t, migrations)
	exec(t, db, `insert into things select md5((i % 3)::text)::uuid, i, now() - ($1 - i) * interval '1 minute', repeat('x', 100)
		from generate_series(1, $1::int) i`, things)
	exec(t, db, `insert into thing_ids select i, md5((i % 3)::text)::uuid from generate_series(1, $1::int) i`, things)
	exec(t, db, "insert into inbox select int8send(i) from generate_series(1, 500) i")
	exec(t, db, "insert into inbox_answers select int8send(i), 'answer' from generate_series(1, 50) i")
	exec(t, db, "insert into parts select i, 1 + i % 2 from generate_series(1, 600) i")
	for _, table := range []string{"things", "thing_ids", "inbox", "inbox_answers", "parts"} {
		exec(t, db, "analyze "+table)
	}
	return db
}

// exec runs a statement for all sellers.
func exec(t *testing.T, db *pgtest.DB, sql string, args ...any) {
	t.Helper()
	_, err := postgres.AllSellers(db.Pool).Exec(t.Context(), sql, args...)
	require.NoError(t, err)
}

// measured returns the report about a filled schema.
func measured(t *testing.T, db *pgtest.DB, options size.Options) size.Report {
	t.Helper()
	report, err := size.Measure(t.Context(), db.Pool, "service", thing, options)
	require.NoError(t, err)
	return report
}

// After analyze the figures are exact: rows of each table, partitions in one sum, and totals that add up.
func TestMeasure_tables(t *testing.T) {
	t.Parallel()
	report := measured(t, filled(t, 3000), size.Options{Window: 24 * time.Hour})
	rows, total := map[string]int64{}, int64(0)
	for _, table := range report.Tables {
		require.Equal(t, table.HeapBytes+table.IndexBytes, table.TotalBytes)
		total += table.TotalBytes
		if table.Rows == nil {
			continue
		}
		rows[table.Name] = *table.Rows
		if *table.Rows > 0 {
			require.Positive(t, table.HeapBytes, table.Name)
			require.Positive(t, table.IndexBytes, table.Name)
			require.InDelta(t, float64(table.TotalBytes)/float64(*table.Rows), *table.BytesPerRow, 1e-9, table.Name)
		}
	}
	require.Equal(t, map[string]int64{"things": 3000, "thing_ids": 3000, "inbox": 500, "inbox_answers": 50, "parts": 600}, rows)
	require.Equal(t, total, report.TotalBytes)
	require.EqualValues(t, 3000, *report.Record.Count)
	require.InDelta(t, float64(total)/3000, *report.Record.BytesEach, 1e-9)
	require.EqualValues(t, 500, *report.Inbox.Keys)
	require.Positive(t, *report.Inbox.BytesPerKey)
	require.EqualValues(t, 50, *report.Inbox.Answers)
	require.Nil(t, report.Capacity)
}

// The sizes equal those that PostgreSQL reports for the tables.
func TestTables_sizesAreTheServers(t *testing.T) {
	t.Parallel()
	db := filled(t, 100)
	tables, err := size.Tables(t.Context(), db.Pool)
	require.NoError(t, err)
	for _, table := range tables {
		if table.Name == "parts" {
			continue // has no storage of its own
		}
		var total int64
		require.NoError(t, db.Pool.QueryRow(t.Context(), "select pg_total_relation_size($1::text::regclass)", table.Name).Scan(&total))
		require.Equal(t, total, table.TotalBytes, table.Name)
	}
}

// A thing a minute is 1,440 a day, whether the period covers few pages, which are counted, or many, which are estimated to a page.
func TestMeasure_growth(t *testing.T) {
	t.Parallel()
	db := filled(t, 60_000)
	for window, within := range map[time.Duration]float64{
		time.Hour: 30, 24 * time.Hour: 2, 168 * time.Hour: 24, 720 * time.Hour: 6, 10_000 * time.Hour: 1,
	} {
		report := measured(t, db, size.Options{Window: window})
		require.InDelta(t, 1440, report.Growth.RecordsPerDay, within, window)
		require.InDelta(t, report.Growth.RecordsPerDay**report.Record.BytesEach, *report.Growth.BytesPerDay, 1e-6)
		require.Equal(t, "thing_ids by things.made_at", report.Growth.BasedOn)
		require.InDelta(t, min(window, 60_000*time.Minute).Seconds(), report.Growth.Seconds, 120)
	}
}

// The search reads only the pages that it needs, also under row-level security.
func TestMeasure_readsFewPages(t *testing.T) {
	t.Parallel()
	db := filled(t, 60_000)
	secured := size.Record{Singular: "thing", Plural: "things", Table: "things", Time: "t.made_at", Basis: "made_at"}
	report, err := size.Measure(t.Context(), db.Pool, "service", secured, size.Options{Window: 24 * time.Hour})
	require.NoError(t, err)
	require.InDelta(t, 1440, report.Growth.RecordsPerDay, 2)
	plan := explained(t, db, `select min(t.made_at) from things t
		where t.ctid >= format('(%s,0)', 3::bigint)::tid and t.ctid < format('(%s,0)', 4::bigint)::tid`)
	require.Contains(t, plan, "Tid Range Scan")
	require.NotContains(t, plan, "Rows Removed by Filter")
}

// explained returns the plan of a statement for all sellers.
func explained(t *testing.T, db *pgtest.DB, sql string) string {
	t.Helper()
	rows, err := postgres.AllSellers(db.Pool).Query(t.Context(), "explain analyze "+sql)
	require.NoError(t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	var text bytes.Buffer
	for _, line := range lines {
		text.WriteString(line + "\n")
	}
	return text.String()
}

// Unknown figures are left out and are no error: a schema without records, tables without statistics.
func TestMeasure_emptySchema(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, migrations)
	report := measured(t, db, size.Options{Window: 24 * time.Hour, Capacity: 1 << 40})
	require.Nil(t, report.Growth)
	require.Nil(t, report.Record.BytesEach)
	require.Nil(t, report.Capacity.FullInDays)
	require.Contains(t, printed(t, report), "because the growth is unknown")
	exec(t, db, "insert into thing_ids values (1, gen_random_uuid())")
	report = measured(t, db, size.Options{Window: 24 * time.Hour})
	require.Nil(t, report.Record.Count, "never analyzed")
	require.Nil(t, report.Growth, "no record has a time")
}

// The pages of a partitioned table are not in the order of time.
func TestMeasure_partitionedRecords(t *testing.T) {
	t.Parallel()
	part := size.Record{Singular: "part", Plural: "parts", Table: "parts", Time: "now() - interval '1 hour'", Basis: "nothing"}
	report, err := size.Measure(t.Context(), filled(t, 1).Pool, "service", part, size.Options{Window: 24 * time.Hour})
	require.NoError(t, err)
	require.EqualValues(t, 600, *report.Record.Count)
	require.Nil(t, report.Growth)
}

// The remaining space lasts as long as the whole database takes to fill it.
func TestMeasure_capacity(t *testing.T) {
	t.Parallel()
	db := filled(t, 3000)
	report := measured(t, db, size.Options{Window: 24 * time.Hour, Capacity: 1 << 30})
	whole := *report.Growth.BytesPerDay * float64(report.Capacity.DatabaseBytes) / float64(report.TotalBytes)
	require.InDelta(t, float64(1<<30-report.Capacity.DatabaseBytes)/whole, *report.Capacity.FullInDays, 1e-6)
	require.WithinDuration(t, time.Now().Add(time.Duration(*report.Capacity.FullInDays*24)*time.Hour), *report.Capacity.FullAt, 25*time.Hour)
	require.Greater(t, report.Capacity.DatabaseBytes, report.TotalBytes)
	require.Zero(t, *measured(t, db, size.Options{Window: 24 * time.Hour, Capacity: 1}).Capacity.FullInDays, "the database is full already")
	endless := measured(t, db, size.Options{Window: 24 * time.Hour, Capacity: 1 << 60})
	require.Nil(t, endless.Capacity.FullInDays)
	require.Contains(t, printed(t, endless), "not full within 100 years")
}

func TestMeasure_notMigrated(t *testing.T) {
	t.Parallel()
	_, err := size.Measure(t.Context(), pgtest.New(t, nil).Pool, "service", thing, size.Options{Window: time.Hour})
	require.ErrorContains(t, err, "run migrate first")
	require.ErrorContains(t, err, "thing_ids")
}

// figures matches what differs between servers and runs.
var figures = regexp.MustCompile(`[0-9]+(\.[0-9]+)?(e[+-][0-9]+)?`)

// People read the text and programs the JSON; only the figures in them may change.
func TestReport_golden(t *testing.T) {
	t.Parallel()
	report := measured(t, filled(t, 3000), size.Options{Window: 24 * time.Hour, Capacity: 1 << 30})
	marshalled, err := json.MarshalIndent(report, "", "  ")
	require.NoError(t, err)
	golden(t, "testdata/report.txt", regexp.MustCompile(` +`).ReplaceAll(figures.ReplaceAll([]byte(printed(t, report)), []byte("N")), []byte(" ")))
	golden(t, "testdata/report.json", append(figures.ReplaceAll(marshalled, []byte("0")), '\n'))
}

// printed returns the report as text.
func printed(t *testing.T, report size.Report) string {
	t.Helper()
	var text bytes.Buffer
	require.NoError(t, report.Print(&text))
	return text.String()
}

// golden compares a text with a file.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o600))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

func TestBytes_text(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]size.Bytes{
		"1": 1, "1024": 1 << 10, "7B": 7, "500GiB": 500 << 30, "1.5 TiB": 3 << 39, "2TB": 2e12, "10kB": 10_000, "5MB": 5e6, "3KiB": 3 << 10,
	} {
		var got size.Bytes
		require.NoError(t, got.UnmarshalText([]byte(text)), text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "0", "-1", "GiB", "5G", "1e30", "NaN", "Inf", "many"} {
		require.ErrorContains(t, new(size.Bytes).UnmarshalText([]byte(text)), "500GiB", text)
	}
	for bytes, want := range map[size.Bytes]string{
		0: "0 B", 1023: "1023 B", 1024: "1.00 KiB", 10<<20 - 1: "10.0 MiB", 536_870_912_000: "500 GiB", 3 << 39: "1.50 TiB",
	} {
		require.Equal(t, want, bytes.String())
	}
}
