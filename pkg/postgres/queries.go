package postgres

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

const namePrefix = "-- name: "

// queryName matches valid names of statements, which become metric labels.
var queryName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*$`)

// Queries are the named statements of a service.
type Queries struct{ statements map[string]string }

// LoadQueries reads all .sql files of a file system. A file holds statements,
// each below a line
//
//	-- name: ListOrders
//
// and comment lines that say which index serves it and why it locks. These
// comments are not sent, but the name is, because spans and metrics take it
// from the text. Errors: a name that is malformed or used twice, an empty
// statement, text before the first name.
func LoadQueries(files fs.FS) (Queries, error) {
	q := Queries{statements: map[string]string{}}
	err := fs.WalkDir(files, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(file) != ".sql" {
			return err
		}
		text, err := fs.ReadFile(files, file)
		if err != nil {
			return err
		}
		if err := q.read(string(text)); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		return nil
	})
	if err != nil {
		return Queries{}, fmt.Errorf("load queries: %w", err)
	}
	return q, nil
}

// MustLoadQueries is LoadQueries for embedded files. An error is a programming
// error and panics.
func MustLoadQueries(files fs.FS) Queries {
	q, err := LoadQueries(files)
	if err != nil {
		panic(err)
	}
	return q
}

func (q Queries) read(text string) error {
	sections := strings.Split("\n"+text, "\n"+namePrefix)
	if stray := withoutComments(sections[0]); stray != "" {
		return fmt.Errorf("text before the first name: %q", stray)
	}
	for _, section := range sections[1:] {
		name, body, _ := strings.Cut(section, "\n")
		name = strings.TrimSpace(name)
		body = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(withoutComments(body)), ";"))
		switch _, taken := q.statements[name]; {
		case !queryName.MatchString(name):
			return fmt.Errorf("%q is not a name of letters and digits", name)
		case taken:
			return fmt.Errorf("the name %s is used twice", name)
		case body == "":
			return fmt.Errorf("%s has no statement", name)
		}
		q.statements[name] = Named(name, body)
	}
	return nil
}

func withoutComments(text string) string {
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool {
		return strings.HasPrefix(strings.TrimSpace(line), "--")
	})
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// SQL returns the text to send for a name, beginning with the name as a comment.
// An unknown name is a programming error and panics.
func (q Queries) SQL(name string) string {
	text, ok := q.statements[name]
	if !ok {
		panic("no query is named " + name)
	}
	return text
}

// Text returns a statement without its name, for use within another. An unknown name panics.
func (q Queries) Text(name string) string {
	_, text, _ := strings.Cut(q.SQL(name), "\n")
	return text
}

// Named prefixes a generated statement with its name, as SQL does.
func Named(name, text string) string { return namePrefix + name + "\n" + text }

// Fill replaces a mark, a comment such as /* spans */, with a text. A statement without the mark is a programming error and
// panics.
func Fill(statement, mark, text string) string {
	mark = "/* " + mark + " */"
	if !strings.Contains(statement, mark) {
		panic(QueryName(statement) + " has no " + mark)
	}
	return strings.ReplaceAll(statement, mark, text)
}

// With returns the statements with each mark, a comment such as /* columns */, replaced by its text, so that lists defined in the
// program need not be repeated in every statement. A mark that does not occur is a programming error and panics.
func (q Queries) With(marks map[string]string) Queries {
	filled := Queries{statements: maps.Clone(q.statements)}
	for name, text := range marks {
		mark, found := "/* "+name+" */", false
		for statement, body := range filled.statements {
			found = found || strings.Contains(body, mark)
			filled.statements[statement] = strings.ReplaceAll(body, mark, text)
		}
		if !found {
			panic("no query has the mark " + mark)
		}
	}
	return filled
}

// Names returns all names in alphabetical order.
func (q Queries) Names() []string {
	return slices.Sorted(maps.Keys(q.statements))
}
