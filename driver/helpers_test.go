package driver_test

import (
	"context"
	"errors"
	"strings"
	"testing"
)

var ctx = context.Background()

// wantErr fails unless err matches the sentinel and says all of words.
func wantErr(t testing.TB, err, sentinel error, words ...string) {
	t.Helper()
	if !errors.Is(err, sentinel) {
		t.Fatalf("error %v; want one that matches %q", err, sentinel)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not say %q", err, w)
		}
	}
}
