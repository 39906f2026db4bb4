// Package cgo_headers holds the C declarations that Triad's cgo packages
// share: the foreign ABIs, declared by us and so free of any SDK, and the
// machinery that loads a driver library and resolves its symbols.
//
// It is a Go package for two reasons. "go mod vendor" copies only folders that
// are packages in the import graph, so that a vendored Triad finds its headers
// only if its cgo packages import this one. And because the headers are
// embedded, editing one changes this package, and with it every package that
// includes it is rebuilt.
//
// A cgo package uses it by importing it for side effects and adding
//
//	#cgo CFLAGS: -I${SRCDIR}/../cgo_headers
//
// to its preamble.
package cgo_headers

import "embed"

// Files holds the headers, by file name.
//
//go:embed *.h
var Files embed.FS
