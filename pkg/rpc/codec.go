package rpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"sellerapi.dev/pkg/nearest"
)

// strictJSON replaces the JSON codec of the library, which drops members that it does not know: an order whose "contact" is
// misspelt would be accepted without a recipient, and could not be placed again. Binary messages keep fields of a newer contract,
// as the rules of protobuf want.
type strictJSON struct{ name string }

// strictCodecs are registered under each name that the library gives its own.
func strictCodecs() connect.HandlerOption {
	return connect.WithHandlerOptions(connect.WithCodec(strictJSON{"json"}), connect.WithCodec(strictJSON{"json; charset=utf-8"}))
}

// Name implements connect.Codec.
func (c strictJSON) Name() string { return c.name }

// Marshal implements connect.Codec.
func (strictJSON) Marshal(message any) ([]byte, error) {
	m, err := protoMessage(message)
	if err != nil {
		return nil, err
	}
	return protojson.Marshal(m)
}

// Unmarshal implements connect.Codec. The error of an unknown member has its path and the nearest known name.
func (strictJSON) Unmarshal(text []byte, message any) error {
	m, err := protoMessage(message)
	if err != nil {
		return err
	}
	err = protojson.Unmarshal(text, m)
	if err == nil {
		return nil
	}
	var value any
	if json.Unmarshal(text, &value) == nil {
		if problems := unknownMembers("", value, m.ProtoReflect().Descriptor()); len(problems) > 0 {
			return errors.New(strings.Join(problems, "; "))
		}
	}
	return err
}

func protoMessage(message any) (proto.Message, error) {
	m, ok := message.(proto.Message)
	if !ok {
		return nil, fmt.Errorf("%T is no protobuf message", message)
	}
	return m, nil
}

// unknownMembers returns a line for each member of a value that its message lacks.
func unknownMembers(path string, value any, message protoreflect.MessageDescriptor) (problems []string) {
	object, ok := value.(map[string]any)
	if !ok || message.ParentFile().Package() == "google.protobuf" {
		return nil // of another type, which is another error; or with a JSON form of its own
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		at := strings.TrimPrefix(path+"."+name, ".")
		field := message.Fields().ByJSONName(name)
		if field == nil {
			field = message.Fields().ByName(protoreflect.Name(name))
		}
		switch {
		case field == nil:
			problems = append(problems, at+": unknown member"+hint(name, message))
		case field.Message() == nil || field.IsMap():
		case field.IsList():
			entries, _ := object[name].([]any)
			for n, entry := range entries {
				problems = append(problems, unknownMembers(at+"["+strconv.Itoa(n)+"]", entry, field.Message())...)
			}
		default:
			problems = append(problems, unknownMembers(at, object[name], field.Message())...)
		}
	}
	return problems
}

func hint(name string, message protoreflect.MessageDescriptor) string {
	known := make([]string, message.Fields().Len())
	for n := range known {
		known[n] = string(message.Fields().Get(n).Name())
	}
	if meant := nearest.Name(name, known); meant != "" {
		return fmt.Sprintf(", did you mean %q?", meant)
	}
	return ""
}
