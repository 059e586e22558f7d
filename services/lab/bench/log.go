package bench

import (
	"regexp"
	"strings"
)

// statement is a statement that PostgreSQL received: the text with $1, $2, … and the arguments as texts, nil for null.
type statement struct {
	text string
	args []*string
}

type entry struct {
	process, database, program string
	statement
}

var (
	begun      = regexp.MustCompile(`\[(\d+)\] (\S*)/(\S*) LOG: +(?:execute [^:]+|statement): `)
	parameters = regexp.MustCompile(`(?i)DETAIL: +parameters: `)
	// argument matches one argument; quotes inside are doubled.
	argument = regexp.MustCompile(`(?s)\$\d+ = (?:'((?:[^']|'')*)'|NULL)`)
)

// readLog returns the statements in a part of PostgreSQL's log. Lines after the first of an entry begin with a tab.
func readLog(log string) []entry {
	var entries []entry
	lines := strings.Split(strings.ReplaceAll(log, "\n\t", "\x00"), "\n")
	for i, line := range lines {
		at := begun.FindStringSubmatchIndex(line)
		if at == nil {
			continue
		}
		e := entry{
			process: line[at[2]:at[3]], database: line[at[4]:at[5]], program: line[at[6]:at[7]],
			statement: statement{text: strings.ReplaceAll(line[at[1]:], "\x00", "\n")},
		}
		if i+1 < len(lines) {
			e.args = readArguments(lines[i+1])
		}
		entries = append(entries, e)
	}
	return entries
}

// readArguments returns the arguments of a statement from the following line, or nil when that is another entry.
func readArguments(line string) []*string {
	at := parameters.FindStringIndex(line)
	if at == nil {
		return nil
	}
	var args []*string
	for _, found := range argument.FindAllStringSubmatchIndex(line[at[1]:], -1) {
		if found[2] < 0 {
			args = append(args, nil)
			continue
		}
		value := strings.ReplaceAll(line[at[1]:][found[2]:found[3]], "''", "'")
		args = append(args, &value)
	}
	return args
}

func (s statement) names(value string) bool {
	for _, arg := range s.args {
		if arg != nil && *arg == value {
			return true
		}
	}
	return false
}
