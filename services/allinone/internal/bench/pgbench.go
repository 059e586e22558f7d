package bench

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

// script is what pgbench runs: its text and the values of its variables, as name=value.
type script struct {
	text    string
	defines []string
}

// pgbench runs the script alone on so many connections; how says for how long.
func (b *benchmark) pgbench(ctx context.Context, w *world, s script, clients int, how string) (sample, error) {
	program, err := findPgbench()
	if err != nil {
		return sample{}, err
	}
	file := filepath.Join(b.Dir, "script.sql")
	if err := os.WriteFile(file, []byte(s.text), 0o600); err != nil {
		return sample{}, err
	}
	arguments := []string{
		"--no-vacuum", "--protocol=prepared", "--file=" + file, how,
		"--client=" + strconv.Itoa(clients), "--jobs=" + strconv.Itoa(min(clients, runtime.NumCPU())),
	}
	for _, define := range s.defines {
		arguments = append(arguments, "--define="+define)
	}
	command := exec.CommandContext(ctx, program, arguments...)
	if command.Env, err = connection(w.databaseURL); err != nil {
		return sample{}, err
	}
	output, err := command.CombinedOutput()
	if err != nil {
		return sample{}, fmt.Errorf("pgbench: %w\n%s", err, output)
	}
	return readReport(string(output))
}

// forSeconds and forTransactions say how long pgbench runs.
func (b *benchmark) forSeconds() string {
	return "--time=" + strconv.Itoa(max(1, int(b.Time.Seconds())))
}

func forTransactions(ofEachClient int) string { return "--transactions=" + strconv.Itoa(ofEachClient) }

var (
	// rateOf finds the throughput in pgbench's report; it counts without the time of connecting.
	rateOf = regexp.MustCompile(`tps = ([0-9.]+)`)
	// noneFailed is in the report of a run in which everything went well.
	noneFailed = "number of failed transactions: 0 "
)

// readReport reads the rate from pgbench's report.
func readReport(report string) (sample, error) {
	rate := rateOf.FindStringSubmatch(report)
	if rate == nil || !strings.Contains(report, noneFailed) {
		return sample{}, fmt.Errorf("pgbench did not do what it was asked to:\n%s", report)
	}
	perSecond, err := strconv.ParseFloat(rate[1], 64)
	return sample{perSecond: perSecond}, err
}

// placeholder is an argument in the text of a statement.
var placeholder = regexp.MustCompile(`\$(\d+)`)

// spell is the statement without semicolon, with its arguments as spelled: the number of each, counted from 1,
// and its value, nil for null.
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

// script is the statement in pgbench's own spelling, where arguments are variables.
func (s statement) script() script {
	var defines []string
	for i, arg := range s.args {
		if arg != nil {
			defines = append(defines, fmt.Sprintf("p%d=%s", i+1, *arg))
		}
	}
	text := s.spell(func(n int, value *string) string {
		if value == nil {
			return "null"
		}
		return fmt.Sprintf(":p%d", n)
	})
	return script{text: text + ";\n", defines: defines}
}

// session are the settings of the service's own sessions, which its statements rely on.
const session = "-c search_path=orders -c timezone=UTC -c plan_cache_mode=force_generic_plan" +
	" -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off"

// connection is how pgbench reaches the database, as the environment that its library reads, because
// everybody can see arguments. It sees the same schema and settings as the service.
func connection(address string) ([]string, error) {
	at, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the benchmark's database has an address that cannot be read")
	}
	password, _ := at.User.Password()
	return []string{
		"PGHOST=" + at.Hostname(), "PGPORT=" + at.Port(), "PGUSER=" + at.User.Username(), "PGPASSWORD=" + password,
		"PGDATABASE=" + strings.TrimPrefix(at.Path, "/"), "PGSSLMODE=disable", "PGOPTIONS=" + session,
	}, nil
}

// findPgbench finds the program, which Debian keeps from PATH.
func findPgbench() (string, error) {
	if program, err := exec.LookPath("pgbench"); err == nil {
		return program, nil
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/pgbench")
	if len(found) == 0 {
		return "", errors.New("pgbench is not installed: it comes with the PostgreSQL server (Debian package postgresql)")
	}
	return found[len(found)-1], nil
}
