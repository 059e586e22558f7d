package apierr

import (
	"maps"
	"strconv"
)

// DocPath is where the gateway serves the pages of the codes.
const DocPath = "/docs/errors/"

// Page names the page of the code under [DocPath]: the published code, or the
// HTTP status of a failure that has none.
func (c Code) Page() string {
	if wire := c.WireCode(); wire != "" {
		return wire
	}
	return strconv.Itoa(c.Status())
}

// Message is the text of meta.message: that of the code, or the first problem
// of a request in the wrong form with the number of the others, and what was
// probably meant.
func (e *Error) Message(lang Lang) string {
	text := e.Code.Message(lang)
	if first, others := e.firstProblem(); first != nil {
		text = first.Field + " " + first.text(lang) + othersText(lang, others)
	}
	if hint := e.Hint.In(lang); hint != "" {
		text += " " + hint
	}
	return text
}

// firstProblem is the first problem of a request in the wrong form, and how
// many others there are.
func (e *Error) firstProblem() (first *FieldError, others int) {
	fields, _ := e.Data["errors"].([]FieldError)
	if len(fields) == 0 {
		return nil, 0
	}
	return &fields[0], len(fields) - 1
}

// andMore counts the problems that the message does not name.
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

// Public is error_data in a language, without the id of the request: the data
// of the failure and the page of its code.
func (e *Error) Public(lang Lang) map[string]any {
	data := make(map[string]any, len(e.Data)+2)
	maps.Copy(data, e.Data)
	if fields, there := data["errors"].([]FieldError); there && lang != English {
		data["errors"] = inLang(fields, lang)
	}
	data["doc_url"] = DocPath + e.Code.Page()
	return data
}

// inLang returns the problems with their texts in a language.
func inLang(fields []FieldError, lang Lang) []FieldError {
	said := make([]FieldError, len(fields))
	for i, field := range fields {
		field.Message = field.text(lang)
		said[i] = field
	}
	return said
}
