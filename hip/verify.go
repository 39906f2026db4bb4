package hip

import (
	"fmt"
	"slices"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/hip/codeobject"
)

// The runtime tells nothing of a kernel's parameters. They stand in the metadata of the
// code object, which is read when the module is loaded.

// moduleFacts are what an image tells of its kernels.
type moduleFacts struct {
	object  *codeobject.Object // nil if it can't be read
	names   []string           // of the kernels, sorted; nil if they can't be told
	unknown string             // why
}

// readFacts reads the code object that the runtime chooses for a device.
func readFacts(image []byte, arch string) *moduleFacts {
	o, err := codeobject.Parse(image, arch)
	if err != nil {
		return &moduleFacts{unknown: fmt.Sprintf("the image's metadata can't be read: %v", err)}
	}
	f := &moduleFacts{object: o, names: make([]string, 0, len(o.Kernels))}
	for i := range o.Kernels {
		f.names = append(f.names, o.Kernels[i].Name)
	}
	slices.Sort(f.names)
	return f
}

// kernelFacts are what the image tells of one kernel; nil, with the reason, if nothing.
func (m *Module) kernelFacts(name string) (k *codeobject.Kernel, unknown string) {
	if m.facts.object == nil {
		return nil, m.facts.unknown
	}
	k, err := m.facts.object.Kernel(name)
	if err != nil {
		return nil, err.Error()
	}
	return k, ""
}

// verify compares a signature with what the image tells of a kernel. It returns what
// could not be compared; "" if nothing.
func verify(sig *driver.Signature, k *codeobject.Kernel, unknown string) (unverified string, err error) {
	if k == nil {
		return unknown, nil
	}
	return "", k.Verify(sig)
}

// signatureOf is the signature of a kernel that was bound without one: parameters of
// which their kinds and sizes are known.
func signatureOf(name string, k *codeobject.Kernel, unknown string) (*driver.Signature, error) {
	if k == nil {
		return nil, refused("hipModuleGetFunction", driver.ErrUnsupported, "kernel %q can't be bound without a signature: %s", name, unknown)
	}
	return k.Signature()
}
