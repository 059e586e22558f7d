package rpc

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"
)

// Timestamp converts a time; nil stays nil.
func Timestamp(at *time.Time) *timestamppb.Timestamp {
	if at == nil {
		return nil
	}
	return timestamppb.New(*at)
}

// Time converts a timestamp; nil stays nil. A timestamp outside the valid range of a request stays outside it.
func Time(at *timestamppb.Timestamp) *time.Time {
	if at == nil {
		return nil
	}
	t := at.AsTime()
	return &t
}
