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

// noDigit marks a byte that is not in the alphabet.
const noDigit = 0xff

var digitOf = func() (table [256]byte) {
	for i := range table {
		table[i] = noDigit
	}
	for i := range len(alphabet) {
		table[alphabet[i]] = byte(i)
	}
	return table
}()

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

// decode128 decodes the result of encode128. ok is false for another length, a character outside the alphabet or a number beyond
// 128 bits, so that every value has exactly one encoding.
func decode128(digits string) (value [16]byte, ok bool) {
	if len(digits) != digitsOf128 {
		return value, false
	}
	var high, low uint64
	for i := digitsOf128 - 1; i >= 0; i-- {
		digit := digitOf[digits[i]]
		if digit == noDigit {
			return value, false
		}
		overflow, shifted := bits.Mul64(high, uint64(len(alphabet)))
		carry, moved := bits.Mul64(low, uint64(len(alphabet)))
		sum, carryOut := bits.Add64(moved, uint64(digit), 0)
		total, carryHigh := bits.Add64(shifted, carry, carryOut)
		if overflow != 0 || carryHigh != 0 {
			return value, false
		}
		high, low = total, sum
	}
	binary.BigEndian.PutUint64(value[:8], high)
	binary.BigEndian.PutUint64(value[8:], low)
	return value, true
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
