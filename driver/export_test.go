package driver

// ReplaceBackends registers these backends alone, and returns what puts the
// former ones back.
func ReplaceBackends(b ...Backend) (restore func()) {
	registry.Lock()
	defer registry.Unlock()
	former := registry.backends
	registry.backends = b
	return func() {
		registry.Lock()
		defer registry.Unlock()
		registry.backends = former
	}
}

// SignatureOfType is SignatureOf for a type known at run time.
var SignatureOfType = signatureOf
