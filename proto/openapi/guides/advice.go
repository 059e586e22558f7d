package guides

import (
	"fmt"
	"io/fs"
	"strings"
)

// Advice is what the guides say about one error code, as Markdown.
type Advice struct{ Happened, Doing string }

// ErrorAdvice returns what the guides of a language, en or ko, say about each code, by the last part of its page's path: the
// code, or the status if there is no code.
func ErrorAdvice(lang string) (map[string]Advice, error) {
	text, err := fs.ReadFile(Files, lang+"/errors.md")
	if err != nil {
		return nil, fmt.Errorf("read the advice on codes: %w", err)
	}
	all := map[string]Advice{}
	for section := range strings.SplitSeq(string(text), "\n## ") {
		name, body, _ := strings.Cut(section, "\n")
		happened, doing, found := strings.Cut(body, "\n→ ")
		if found { // the beginning of the file is about no code
			all[name] = Advice{Happened: happened, Doing: doing}
		}
	}
	return all, nil
}
