package driver

// What follows is optional: a backend's device, module or kernel has these
// methods where its driver can do that, and those who use them ask with a type
// assertion and do without where it fails.

// Compiler is a Device that tells more of its compiler than Info does. Binaries
// kept on disk are found again only under the same identity.
type Compiler interface {
	// CompilerID identifies compiler and driver down to the build: what changes
	// when the same source may give another binary. It costs no driver call
	// after the first time.
	CompilerID() string
}

// Describer is a Module that knows things of its kernels which its binary
// leaves out, such as the types of their parameters.
type Describer interface {
	// Description is what must be given as ModuleSource.Description with Binary's
	// bytes, so that kernels of the module that these make are verified as this
	// one's are. Its form is the backend's own, and it may grow as kernels are
	// bound.
	Description() ([]byte, error)
}

// Disassembler is a Module for whose device code there is a disassembler.
type Disassembler interface {
	// Disassembly is the module's device code as text; ErrUnsupported, naming the
	// tool, where that is not installed.
	Disassembly() (string, error)
}

// Occupier is a Kernel whose driver knows how many of its blocks fit on a
// compute unit at once.
type Occupier interface {
	// Occupancy is the number of blocks of that shape, each with so many bytes of
	// dynamic shared memory, that one compute unit runs at once
	// (cuOccupancyMaxActiveBlocksPerMultiprocessor). 0 means that the block
	// doesn't fit.
	Occupancy(block Dim3, sharedBytes uint32) (int, error)
}

// BlockSuggester is a Kernel whose backend can suggest a block.
type BlockSuggester interface {
	// SuggestBlock is a one-dimensional block, or the required one, that keeps
	// the device busy, given so many bytes of dynamic shared memory a block
	// (cuOccupancyMaxPotentialBlockSize).
	SuggestBlock(sharedBytes uint32) (Dim3, error)
}
