package bench

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"sellerapi.dev/services/lab/report"
)

// keptReport is the report whose goals README.md shows, without its tables.
const keptReport = "report.json"

// The lines of README.md between which the goals stand.
const goalsBegin, goalsEnd = "<!-- goals: rendered from report.json by `make bench` -->\n", "<!-- end of goals -->\n"

// keep writes the goals of a report to the folder of this package, as JSON and into its README.md.
func keep(folder string, r *report.Report) error {
	kept := *r
	kept.Tables = nil
	text, err := json.MarshalIndent(&kept, "", "  ")
	if err != nil {
		return err
	}
	page := filepath.Join(folder, "README.md")
	before, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	after, err := withGoals(string(before), &kept)
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(folder, keptReport), append(text, '\n'), 0o644), //nolint:gosec // it is for everybody
		os.WriteFile(page, []byte(after), 0o644))                                   //nolint:gosec // as above
}

// withGoals returns the page with the goals of the report.
func withGoals(page string, r *report.Report) (string, error) {
	before, rest, begins := strings.Cut(page, goalsBegin)
	_, after, ends := strings.Cut(rest, goalsEnd)
	if !begins || !ends {
		return "", errors.New("README.md has no place for the goals")
	}
	return before + goalsBegin + "\n" + r.Markdown() + "\n" + goalsEnd + after, nil
}
