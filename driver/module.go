package driver

import "context"

// SourceKind is the form in which a module's code comes.
type SourceKind uint8

// The forms of code. Which of them a backend accepts differs: OpenCL takes
// source, SPIR-V and device binaries; CUDA and HIP take device binaries and PTX,
// and source where their run-time compiler is found.
const (
	SourceText   SourceKind = iota + 1 // OpenCL C, CUDA C++, HIP C++
	SourceSPIRV                        // a SPIR-V module
	SourceBinary                       // cubin, fatbin, code object, OpenCL program binary
	SourcePTX                          // PTX text
)

func (k SourceKind) String() string {
	switch k {
	case SourceText:
		return "source text"
	case SourceSPIRV:
		return "SPIR-V"
	case SourceBinary:
		return "binary"
	case SourcePTX:
		return "PTX"
	}
	return "unknown"
}

// ModuleSource is the code of a module.
type ModuleSource struct {
	Kind SourceKind
	Name string // for errors and logs: a file name
	Code []byte // not retained
	// Description goes with a SourceBinary of the same backend: what its module
	// said of itself; see Describer. It may be nil, and isn't retained.
	Description []byte
}

// BuildOptions are compiler options.
type BuildOptions struct {
	Flags []string // as the compiler takes them, one option each; quoted by the backend
	// Defines are preprocessor definitions. Values are the text that replaces the
	// name; names must be identifiers, and values must not hold newlines.
	Defines []Define
	// Constants are specialization constants of a SPIR-V module.
	Constants []SpecConstant
}

// Define is a preprocessor definition.
type Define struct{ Name, Value string }

// SpecConstant is a specialization constant: its id, and its value's bytes.
type SpecConstant struct {
	ID    uint32
	Value []byte
}

// Module is a built or loaded program. All methods may be called from any
// goroutine. Kernels keep their module alive: they work on after its Close.
type Module interface {
	Device() Device
	// KernelNames lists the kernels, sorted; ErrUnsupported where the driver
	// cannot tell.
	KernelNames() ([]string, error)
	// Kernel binds the kernel of that name to the layout of an argument struct.
	//
	// With a signature (SignatureOf), the kernel's parameters are compared with it
	// as far as the driver knows them: a difference is ErrSignature, and
	// Kernel.Verified tells whether everything could be compared. With nil, the
	// signature is taken from the driver, for use with ArgPack; ErrUnsupported
	// where the driver doesn't know it.
	//
	// ErrNotFound lists the names that there are.
	Kernel(ctx context.Context, name string, sig *Signature) (Kernel, error)
	// Binary is the module as device code, to be loaded as SourceBinary.
	Binary() ([]byte, error)
	// BuildLog is what the compiler said, warnings included. A driver that has kept what
	// it compiled before, as CUDA does in the user's home, says nothing.
	BuildLog() string
	Close() error
}

// Kernel is a kernel bound to a layout of its arguments. All methods may be
// called from any goroutine, and any number of launches may run at once.
type Kernel interface {
	Name() string
	Device() Device
	// Signature is the layout that the kernel was bound to.
	Signature() *Signature
	// Verified tells whether the driver confirmed every parameter's kind, size
	// and type. When false, Unverified says what it could not tell.
	Verified() bool
	// Unverified says which parameters could not be compared, and why; "" when
	// Verified.
	Unverified() string
	// Attributes are the kernel's resources.
	Attributes() (KernelAttributes, error)
	// Launch enqueues the kernel (cuLaunchKernel, clEnqueueNDRangeKernel). It
	// reads the arguments during the call and keeps nothing of them; it does not
	// wait and does not allocate. ErrDeviceMismatch for a stream of another
	// device, ErrSignature for arguments of another size, and ErrInvalidValue or
	// ErrLaunch, naming the limit, for a shape that the device refuses.
	Launch(s Stream, cfg LaunchConfig, args ArgRef) error
	// Close gives the kernel up. What was launched runs to its end, with the
	// kernel's code in place; the module is unloaded after that.
	Close() error
}

// KernelAttributes are a kernel's resources on its device; 0 where the driver
// doesn't tell. Sizes are in bytes.
type KernelAttributes struct {
	MaxBlockVolume uint64    // most threads in a block
	RequiredBlock  [3]uint64 // the only block it runs with; zeros if any
	BlockMultiple  uint64    // block volumes of a multiple of this are best
	SharedBytes    uint64    // static shared (local) memory of a block
	LocalBytes     uint64    // private memory of a thread
	ConstBytes     uint64
	Registers      uint32 // of a thread
}
