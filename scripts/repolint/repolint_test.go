package repolint

import (
	"os"
	"path/filepath"
	"testing"
)

// TestRepository applies every rule to the checkout that this test lies in.
func TestRepository(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatalf("this isn't a checkout of the repository: %v", err)
	}
	r, err := loadRepo(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range rules {
		t.Run(rule.name, func(t *testing.T) {
			for _, p := range rule.check(r) {
				t.Error(p)
			}
		})
	}
}
