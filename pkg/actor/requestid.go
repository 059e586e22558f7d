package actor

import "github.com/google/uuid"

// RequestIDHeader is the header in which a caller sends the id of its request.
const RequestIDHeader = "X-Request-Id"

// maxRequestID bounds, in bytes, the id that a caller may choose.
const maxRequestID = 64

// ChooseRequestID returns the id that a caller has sent if it is safe in logs and headers, else a new time-ordered one.
func ChooseRequestID(sent string) string {
	if isSaneRequestID(sent) {
		return sent
	}
	if id, err := uuid.NewV7(); err == nil {
		return id.String()
	}
	return uuid.NewString()
}

func isSaneRequestID(id string) bool {
	if id == "" || len(id) > maxRequestID {
		return false
	}
	for i := range len(id) {
		switch c := id[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return true
}
