package apierr

import (
	"maps"
	"strconv"
)

// DocPath is where the gateway serves the pages of the codes.
const DocPath = "/docs/errors/"

// Page returns the name of the code's page under [DocPath]: the published code,
// or the HTTP status for a failure without one.
func (c Code) Page() string {
	if wire := c.WireCode(); wire != "" {
		return wire
	}
	return strconv.Itoa(c.Status())
}

// Message returns the text of meta.message: the text of the code and the hint,
// or, for a malformed request, the first problem and the number of further
// ones.
func (e *Error) Message(lang Lang) string {
	text := e.Code.Message(lang)
	if first, others := e.firstProblem(); first != nil {
		text = first.Field + between.In(lang) + first.text(lang) + othersText(lang, others)
	}
	if hint := e.Hint.In(lang); hint != "" {
		text += " " + hint
	}
	return text
}

// firstProblem returns the first problem of a malformed request and the number
// of further problems.
func (e *Error) firstProblem() (first *FieldError, others int) {
	fields, _ := e.Data["errors"].([]FieldError)
	if len(fields) == 0 {
		return nil, 0
	}
	return &fields[0], len(fields) - 1
}

// between separates the name of a field from its problem. Korean particles depend
// on how the name is read, so that the name stands apart.
var between = Phrase{" ", ": "}

// andMore states the number of problems that the message does not name.
var (
	andOneMore = Phrase{"; 1 more problem", " (그 밖에 1건)"}
	andMore    = Phrase{"; %d more problems", " (그 밖에 %d건)"}
)

func othersText(lang Lang, others int) string {
	switch others {
	case 0:
		return ""
	case 1:
		return andOneMore.In(lang)
	default:
		return andMore.With(others).In(lang)
	}
}

// Public returns error_data in a language, without the request ID: the data of
// the failure and the URL of the code's page.
func (e *Error) Public(lang Lang) map[string]any {
	data := make(map[string]any, len(e.Data)+2)
	maps.Copy(data, e.Data)
	if fields, there := data["errors"].([]FieldError); there && lang != English {
		data["errors"] = inLang(fields, lang)
	}
	data["doc_url"] = DocPath + e.Code.Page()
	return data
}

func inLang(fields []FieldError, lang Lang) []FieldError {
	said := make([]FieldError, len(fields))
	for i, field := range fields {
		field.Message = field.text(lang)
		said[i] = field
	}
	return said
}
