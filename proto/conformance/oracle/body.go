package oracle

import (
	"mime"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"
)

const jsonType = "application/json"

func (a *answer) checkBody() {
	switch {
	case a.bodiless, len(a.described.Content) == 0:
		if len(a.body) > 0 {
			a.problem("there is a body where none may be")
		}
		return
	}
	media := a.media()
	if media == nil {
		return
	}
	var value any
	if err := json.Unmarshal(a.body, &value); err != nil {
		a.problem("the body is not strict JSON: %s", firstLine(err))
		return
	}
	a.checkEnvelope(value)
	if err := media.Schema.Value.VisitJSON(value, visitOptions...); err != nil {
		a.problems = append(a.problems, leaves(err)...)
	}
}

// media returns the description of a body that can be checked; nil if there is nothing more to check.
func (a *answer) media() *openapi3.MediaType {
	sent, params, err := mime.ParseMediaType(a.header.Get("Content-Type"))
	media := a.described.Content[sent]
	switch {
	case err != nil || media == nil:
		a.problem("the content type %q is not documented", a.header.Get("Content-Type"))
		return nil
	case params["charset"] != "" && !strings.EqualFold(params["charset"], "utf-8"):
		a.problem("the charset %q is not UTF-8", params["charset"])
	}
	if sent != jsonType {
		return nil
	}
	return media
}

// checkEnvelope compares values that occur in two places. It also sets the code of the finding.
func (a *answer) checkEnvelope(value any) {
	envelope, _ := value.(map[string]any)
	meta, ok := envelope["meta"].(map[string]any)
	if !ok {
		return // the schema reports this if an envelope is required
	}
	if code, ok := meta["code"].(float64); !ok || int(code) != a.finding.Status {
		a.problem("meta.code is %v and the status %d", meta["code"], a.finding.Status)
	}
	a.finding.Code, _ = meta["error_code"].(string)
	if !slices.Contains(codesOf(a.described), a.finding.Code) {
		a.problem("error_code %v is not one of this response: %q", meta["error_code"], codesOf(a.described))
	}
	data, _ := meta["error_data"].(map[string]any)
	if id := data["request_id"]; data != nil && id != a.header.Get("X-Request-Id") {
		a.problem("error_data.request_id is %v and X-Request-Id %q", id, a.header.Get("X-Request-Id"))
	}
	a.checkLimitHeaders(data["limit"])
	a.learnFailures(envelope["data"])
}

func (a *answer) learnFailures(data any) {
	result, _ := data.(map[string]any)
	failed, _ := result["failed"].([]any)
	for _, one := range failed {
		entry, _ := one.(map[string]any)
		code, _ := entry["error_code"].(string)
		a.failed = append(a.failed, Finding{Operation: a.finding.Operation, Status: a.finding.Status, Code: code})
	}
}

// visitOptions make the validator collect all problems, check formats and treat schemas as those of responses. The
// library's JSON Schema validator for 3.1 is not used: it compiles the schema for every single response, and the schemas
// of our responses use no keyword that the other validator does not know, which TestSchemas_onlyKnownKeywords ensures.
var visitOptions = []openapi3.SchemaValidationOption{
	openapi3.MultiErrors(),
	openapi3.VisitAsResponse(),
	openapi3.EnableFormatValidation(),
	openapi3.WithStringFormatValidator("uuid", openapi3.NewRegexpFormatValidator(openapi3.FormatOfStringForUUIDOfRFC9562)),
}

func checkText(schema *openapi3.Schema, text string) error {
	var value any = text
	if schema.Type.Is(openapi3.TypeInteger) {
		number, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return err
		}
		value = float64(number)
	}
	return schema.VisitJSON(value, visitOptions...)
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
