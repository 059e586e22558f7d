package servicetest

import (
	"bytes"
	"encoding/json"
	"sync"

	"sellerapi.dev/pkg/service"
)

// tailBytes is how much of what a program wrote last is kept for a message about its failure.
const tailBytes = 4 << 10

// output reads what a program writes: the addresses as soon as it says them, and the end of it for messages.
type output struct {
	serving chan service.Addresses

	mu     sync.Mutex
	tail   []byte
	unread []byte // lines that may be the one with the addresses
	served bool
}

// Write implements io.Writer.
func (o *output) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tail = append(o.tail, text...)
	o.tail = bytes.Clone(o.tail[max(0, len(o.tail)-tailBytes):])
	if !o.served {
		o.unread = append(o.unread, text...)
		o.look()
	}
	return len(text), nil
}

// look takes up the lines that are whole until one has the addresses.
func (o *output) look() {
	for !o.served {
		line, rest, whole := bytes.Cut(o.unread, []byte("\n"))
		if !whole {
			return
		}
		var said struct {
			Msg       string            `json:"msg"`
			Addresses service.Addresses `json:"addresses"`
		}
		o.unread = rest
		if json.Unmarshal(line, &said) == nil && said.Msg == "serving" {
			o.served = true
			o.serving <- said.Addresses
		}
	}
}

// String is the end of what was written.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(o.tail)
}
