package pgtest

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
)

// ExplainPrepared prepares a statement under these session settings, runs it once, and returns the output of EXPLAIN (analyze,
// buffers, format json). So the plan is the one that the service uses: with plan_cache_mode = force_generic_plan it does not
// depend on the arguments.
func ExplainPrepared(tb testing.TB, db postgres.Scoped, settings map[string]string, statement string, args []any) (text []byte) {
	tb.Helper()
	tx, err := db.BeginTx(tb.Context(), pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
	require.NoError(tb, err)
	defer func() { require.NoError(tb, tx.Rollback(tb.Context())) }()
	exec := func(sql string) {
		_, err := tx.Exec(tb.Context(), sql, pgx.QueryExecModeSimpleProtocol)
		require.NoError(tb, err, sql)
	}
	for name, value := range settings {
		_, err = tx.Exec(tb.Context(), "select set_config($1, $2, true)", name, value)
		require.NoError(tb, err)
	}
	exec("prepare explained as " + statement)
	literals := make([]string, len(args))
	for i, arg := range args {
		literals[i] = literal(tb, arg)
	}
	explain := "explain (analyze, buffers, format json) execute explained (" + strings.Join(literals, ", ") + ")"
	require.NoError(tb, tx.QueryRow(tb.Context(), explain, pgx.QueryExecModeSimpleProtocol).Scan(&text))
	exec("deallocate explained")
	return text
}

func literal(tb testing.TB, arg any) string {
	tb.Helper()
	switch arg := arg.(type) {
	case pgtype.Timestamptz:
		if arg.InfinityModifier != pgtype.Finite {
			return "'" + arg.InfinityModifier.String() + "'"
		}
		return "'" + arg.Time.Format(time.RFC3339Nano) + "'"
	case time.Time:
		return "'" + arg.Format(time.RFC3339Nano) + "'"
	case fmt.Stringer:
		return "'" + arg.String() + "'"
	}
	switch value := reflect.ValueOf(arg); {
	case value.CanInt():
		return strconv.FormatInt(value.Int(), 10)
	case value.Kind() == reflect.String:
		return "'" + value.String() + "'"
	default:
		require.Failf(tb, "unknown argument", "%T", arg)
		return ""
	}
}
