// Package repolint holds the rules that this repository keeps and that neither
// the compiler nor go vet knows: where cgo and unsafe may appear, who imports
// whom, what a file may look like. Its test applies them to the checkout, so
// that `go test ./...` enforces them.
//
// A rule is a function from the files to what is wrong with them. Each message
// says what to do about it, and each rule has an example in rules_test.go that
// breaks it.
package repolint
