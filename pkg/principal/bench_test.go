package principal_test

import (
	"testing"
)

func BenchmarkSign(b *testing.B) {
	s := newSigner(b, newKey)
	b.ReportAllocs()
	for b.Loop() {
		s.read(page, caller())
	}
}

func BenchmarkVerify(b *testing.B) {
	s := newSigner(b, newKey)
	header := s.read(page, caller())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Verify(page, header, now); err != nil {
			b.Fatal(err)
		}
	}
}
