package apikey

import (
	"crypto/rand"
	"encoding/binary"
	"math/bits"
)

// alphabet is the order of the base62 digits. It is part of the format: changing it invalidates every key in use.
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// digitsOf128 is the number of base62 digits for 128 bits.
const digitsOf128 = 22

// encode128 encodes 128 bits as 22 digits, lowest digit first.
func encode128(value [16]byte) string {
	high, low := binary.BigEndian.Uint64(value[:8]), binary.BigEndian.Uint64(value[8:])
	var digits [digitsOf128]byte
	for i := range digits {
		var rest uint64
		high, rest = bits.Div64(0, high, uint64(len(alphabet)))
		low, rest = bits.Div64(rest, low, uint64(len(alphabet)))
		digits[i] = alphabet[rest]
	}
	return string(digits[:])
}

// randomDigits returns n uniformly distributed digits: bytes whose low six bits are outside the alphabet are discarded.
func randomDigits(n int) string {
	digits := make([]byte, 0, n)
	var pool [64]byte
	for len(digits) < n {
		_, _ = rand.Read(pool[:]) // never fails: the runtime crashes the program if the system has no randomness
		for _, b := range pool {
			if digit := int(b & 63); digit < len(alphabet) && len(digits) < n {
				digits = append(digits, alphabet[digit])
			}
		}
	}
	return string(digits)
}
