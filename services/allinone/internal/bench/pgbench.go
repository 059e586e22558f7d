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

// pgbench runs the statement alone, on as many connections as the load has, for as long as one side is
// measured.
func (b *benchmark) pgbench(ctx context.Context, w *world, s statement) (sample, error) {
	program, err := findPgbench()
	if err != nil {
		return sample{}, err
	}
	script := filepath.Join(b.Dir, "page.sql")
	if err := os.WriteFile(script, []byte(s.script()), 0o600); err != nil {
		return sample{}, err
	}
	arguments := []string{
		"--no-vacuum", "--protocol=prepared", "--file=" + script, "--time=" + strconv.Itoa(max(1, int(b.Time.Seconds()))),
		"--client=" + strconv.Itoa(b.Concurrency), "--jobs=" + strconv.Itoa(min(b.Concurrency, runtime.NumCPU())),
	}
	for i, value := range s.args {
		arguments = append(arguments, fmt.Sprintf("--define=p%d=%s", i+1, value))
	}
	command := exec.CommandContext(ctx, program, arguments...)
	if command.Env, err = connection(w.databaseURL); err != nil {
		return sample{}, err
	}
	output, err := command.CombinedOutput()
	if err != nil {
		return sample{}, fmt.Errorf("pgbench: %w\n%s", err, output)
	}
	rate := rateOf.FindSubmatch(output)
	if rate == nil {
		return sample{}, fmt.Errorf("pgbench does not say its rate:\n%s", output)
	}
	perSecond, err := strconv.ParseFloat(string(rate[1]), 64)
	return sample{perSecond: perSecond}, err
}

// rateOf finds the throughput in pgbench's report; it counts without the time of connecting.
var rateOf = regexp.MustCompile(`tps = ([0-9.]+)`)

// placeholder is an argument in the text of a statement.
var placeholder = regexp.MustCompile(`\$(\d+)`)

// script is the statement in pgbench's own spelling, where arguments are variables.
func (s statement) script() string {
	return strings.TrimRight(strings.TrimSpace(placeholder.ReplaceAllString(s.text, ":p$1")), ";") + ";\n"
}

// session are the settings of the service's own sessions; the last one is what its statements rely on.
const session = "-c search_path=orders -c timezone=UTC -c plan_cache_mode=force_generic_plan"

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
