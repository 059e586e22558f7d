package bench

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

var placeholder = regexp.MustCompile(`\$(\d+)`)

// spell returns the text of the statement without a trailing semicolon, with each argument replaced by the result of
// spelled, which receives the argument's number, counted from 1, and its value, nil for null.
func (s statement) spell(spelled func(n int, value *string) string) string {
	text := placeholder.ReplaceAllStringFunc(s.text, func(found string) string {
		n, err := strconv.Atoi(found[1:])
		if err != nil || n < 1 || n > len(s.args) {
			return found
		}
		return spelled(n, s.args[n-1])
	})
	return strings.TrimRight(strings.TrimSpace(text), ";")
}

// sameArguments is how many times pgbench runs a script before it takes the arguments of another request. Its scripts can
// generate numbers but not texts, so the arguments come from a table, at the cost of one more statement each time.
const sameArguments = 16

// readScripts returns the captured statements of requests as pgbench scripts: one for each form that the requests of a case
// have. A script takes the arguments of one request after another from a table, which readScripts fills.
func readScripts(ctx context.Context, database string, captured [][]statement) ([]script, error) {
	forms := map[string][][]statement{}
	var order []string
	for _, one := range captured {
		form := formOf(one)
		if forms[form] == nil {
			order = append(order, form)
		}
		forms[form] = append(forms[form], one)
	}
	scripts := make([]script, 0, len(order))
	err := query(ctx, database, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, `create schema if not exists bench;
			drop table if exists bench.arguments;
			create table bench.arguments (form integer, request integer, value text[], primary key (form, request))`)
		if err != nil {
			return err
		}
		for n, form := range order {
			if err := keepArguments(ctx, conn, n, forms[form]); err != nil {
				return err
			}
			scripts = append(scripts, readScript(n, forms[form]))
		}
		_, err = conn.Exec(ctx, "analyze bench.arguments")
		return err
	})
	return scripts, err
}

// formOf returns what requests of one form have in common: the texts of the statements, and which of their arguments are null.
func formOf(statements []statement) string {
	var form strings.Builder
	for _, one := range statements {
		form.WriteString(one.text)
		for _, arg := range one.args {
			fmt.Fprint(&form, arg == nil)
		}
	}
	return form.String()
}

// keepArguments stores the arguments that are not null, one row per request.
func keepArguments(ctx context.Context, conn *pgx.Conn, form int, requests [][]statement) error {
	for n, statements := range requests {
		var values []string
		for _, one := range statements {
			for _, arg := range one.args {
				if arg != nil {
					values = append(values, *arg)
				}
			}
		}
		if _, err := conn.Exec(ctx, "insert into bench.arguments values ($1, $2, $3)", form, n, values); err != nil {
			return err
		}
	}
	return nil
}

func readScript(form int, requests [][]statement) script {
	var text strings.Builder
	var columns []string
	for i, one := range requests[0] {
		text.WriteString(one.spell(func(n int, value *string) string {
			if value == nil {
				return "null"
			}
			return fmt.Sprintf(":f%d_s%d_a%d", form, i, n)
		}) + ";\n")
		for n, arg := range one.args {
			if arg != nil {
				columns = append(columns, fmt.Sprintf("value[%d] as f%d_s%d_a%d", len(columns)+1, form, i, n+1))
			}
		}
	}
	counter := fmt.Sprintf("f%d_runs", form)
	head := fmt.Sprintf(`\if :%[1]s %% %[2]d = 0
\set request random(0, %[3]d)
select %[4]s from bench.arguments where form = %[5]d and request = :request \gset
\endif
\set %[1]s :%[1]s + 1
`, counter, sameArguments, len(requests)-1, strings.Join(columns, ", "), form)
	return script{text: head + text.String(), weight: len(requests), defines: []string{counter + "=0"}}
}
