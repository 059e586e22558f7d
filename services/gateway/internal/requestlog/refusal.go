package requestlog

import (
	"encoding/json"
	"net/http"
	"strings"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/web"
)

// errorData are the members of error_data that are kept. Not among them are texts, which may quote the request, what the entry
// has anyway, and what the client has sent itself.
type errorData struct {
	Errors           []fieldError  `json:"errors,omitempty"`
	Items            []itemProblem `json:"items,omitempty"`
	Status           string        `json:"status,omitempty"`
	AvailableActions []string      `json:"available_actions,omitempty"`
	Reason           string        `json:"reason,omitempty"`
	Code             string        `json:"code,omitempty"`
	Field            string        `json:"field,omitempty"`
	Allowed          []string      `json:"allowed,omitempty"`
	RequiredScope    string        `json:"required_scope,omitempty"`
	Limit            string        `json:"limit,omitempty"`
	Max              int64         `json:"max,omitempty"`
	WindowSeconds    int64         `json:"window_seconds,omitempty"`
	RetryAfter       int64         `json:"retry_after,omitempty"`
	AnsweredAt       string        `json:"answered_at,omitempty"`
	MaxBytes         int64         `json:"max_bytes,omitempty"`
}

// fieldError is a problem of a request without its text.
type fieldError struct {
	Field   string   `json:"field"`
	Code    string   `json:"code"`
	Allowed []string `json:"allowed,omitempty"`
}

// itemProblem is an item that stands in the way, without its parcel.
type itemProblem struct {
	ItemID     string `json:"item_id"`
	ItemStatus string `json:"item_status,omitempty"`
}

// maxProblems is how many problems of a request, and how many items, are kept.
const maxProblems = 10

// refusalOf returns error_code of a refusal, and what is kept of its error_data; nil if that is nothing.
func refusalOf(facts *web.Facts) (code string, data []byte) {
	if facts.Status < http.StatusBadRequest {
		return "", nil
	}
	var refusal struct {
		Meta struct {
			ErrorCode string    `json:"error_code"`
			ErrorData errorData `json:"error_data"`
		} `json:"meta"`
	}
	if failure := facts.Failure; failure != nil {
		refusal.Meta.ErrorCode = failure.Code.WireCode()
		if public, err := web.Marshal(failure.Public(apierr.English)); err == nil {
			_ = json.Unmarshal(public, &refusal.Meta.ErrorData) // a member of another type is not kept
		}
	} else {
		_ = json.Unmarshal(facts.Refusal, &refusal) // an answer that was cut short has no code
	}
	refusal.Meta.ErrorData.clean()
	data, err := json.Marshal(refusal.Meta.ErrorData)
	if err != nil || string(data) == "{}" {
		return refusal.Meta.ErrorCode, nil
	}
	return refusal.Meta.ErrorCode, data
}

// clean removes names that a client may have chosen, and limits lists.
func (d *errorData) clean() {
	d.Errors = d.Errors[:min(len(d.Errors), maxProblems)]
	for i, problem := range d.Errors {
		chosen := problem.Code == apierr.FieldUnknown || problem.Code == apierr.FieldDuplicate || problem.Code == apierr.FieldCase
		if root, _, _ := strings.Cut(problem.Field, "."); root == "query" && chosen {
			d.Errors[i].Field = root
		} else if chosen || !isField(problem.Field) {
			d.Errors[i].Field = "body"
		}
		d.Errors[i].Allowed = clip(problem.Allowed)
	}
	d.Items = d.Items[:min(len(d.Items), maxProblems)]
	for i, item := range d.Items {
		if !isNumber(item.ItemID) {
			d.Items[i].ItemID = sent(item.ItemID)
		}
	}
	d.Allowed, d.AvailableActions = clip(d.Allowed), clip(d.AvailableActions)
	if !isField(d.Field) {
		d.Field = ""
	}
}

// clip returns the list, or nothing if it is too long to be worth its space.
func clip(list []string) []string {
	if len(list) > maxProblems {
		return nil
	}
	return list
}

// isField reports whether a text has the form of a path to a member of the contract.
func isField(path string) bool {
	return len(path) <= 64 && !strings.ContainsFunc(path, func(r rune) bool {
		return ('a' > r || r > 'z') && ('0' > r || r > '9') && !strings.ContainsRune("_.[]", r)
	})
}
