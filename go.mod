module github.com/triad-gpu/triad

go 1.24

require (
	github.com/google/go-cmp v0.7.0
	golang.org/x/exp v0.0.0-20250305212735-054e65f0b394
)
