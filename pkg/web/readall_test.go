package web

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
)

// A body takes no more memory than announced, and no more than twice what has arrived until usualBody has.
func TestReadAll_room(t *testing.T) {
	t.Parallel()
	const limit = 4 << 20
	for _, size := range []int64{0, 1, 100, trustedBytes - 1, trustedBytes, trustedBytes + 1, usualBody, usualBody + 1, limit} {
		for _, announced := range []int64{size, limit, -1} {
			read, err := ReadAll(strings.NewReader(strings.Repeat("x", int(size))), announced, limit)
			require.NoError(t, err)
			require.Len(t, read, int(size))
			most := max(2*size, trustedBytes)
			if announced >= 0 && size >= usualBody {
				most = announced
			}
			require.LessOrEqual(t, int64(cap(read)), most+1, "%d of %d", size, announced)
		}
	}
}

// A body that is longer than allowed or whose reader fails returns the error, whatever was announced and however it arrives.
func TestReadAll_errors(t *testing.T) {
	t.Parallel()
	for _, announced := range []int64{-1, 11, 10} {
		long := iotest.OneByteReader(strings.NewReader("01234567890"))
		_, err := ReadAll(long, announced, 10)
		require.ErrorIs(t, err, apierr.BodyTooLarge)
		_, err = ReadAll(io.MultiReader(strings.NewReader("0123456789"), iotest.ErrReader(io.ErrUnexpectedEOF)), announced, 10)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		read, err := ReadAll(iotest.DataErrReader(strings.NewReader("0123456789")), announced, 10)
		require.NoError(t, err)
		require.Equal(t, "0123456789", string(read))
	}
}
