package rpc

import (
	"context"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"sellerapi.dev/pkg/telemetry"
)

// numberNames are the fields that name an order, a claim or an inquiry. All contracts use these names.
var numberNames = telemetry.NumberNames()

// name reads which orders, claims or inquiries a message is about, for the span and the log line of its call.
func (c *call) name(ctx context.Context, message any) {
	if m, ok := message.(proto.Message); ok {
		c.numbers = numbersOf(m.ProtoReflect())
	}
	for _, numbers := range c.numbers {
		numbers.Mark(ctx)
	}
}

// numbersOf returns what the fields of a message name, or, if it is a batch, those of its entries.
func numbersOf(message protoreflect.Message) []telemetry.Numbers {
	var all []telemetry.Numbers
	for _, name := range numberNames {
		if values := fieldOf(nil, message, name); len(values) > 0 {
			all = append(all, telemetry.Numbers{Name: name, Values: values})
		}
	}
	fields := message.Descriptor().Fields()
	for n := range fields.Len() {
		if field := fields.Get(n); field.IsList() && field.Message() != nil {
			all = append(all, numbersOfEntries(message.Get(field).List())...)
		}
	}
	return all
}

func numbersOfEntries(entries protoreflect.List) []telemetry.Numbers {
	var all []telemetry.Numbers
	for _, name := range numberNames {
		var values []string
		for n := range min(entries.Len(), telemetry.MaxNumbers) {
			values = fieldOf(values, entries.Get(n).Message(), name)
		}
		if len(values) > 0 {
			all = append(all, telemetry.Numbers{Name: name, Values: values})
		}
	}
	return all
}

// fieldOf appends the value of a field with the name, if the message has one that is not empty.
func fieldOf(values []string, message protoreflect.Message, name string) []string {
	field := message.Descriptor().Fields().ByName(protoreflect.Name(name))
	if field == nil || field.Kind() != protoreflect.StringKind || field.IsList() {
		return values
	}
	if value := message.Get(field).String(); value != "" {
		values = append(values, value)
	}
	return values
}
