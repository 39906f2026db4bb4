package cuda

import (
	"fmt"
	"strings"

	"github.com/triad-gpu/triad/driver"
)

// linkInput is what the driver's linker gets.
type linkInput struct {
	kind int // CU_JIT_INPUT_…
	name string
	data []byte
}

// InputKind is the form of something to be linked.
type InputKind int

// What the driver's linker takes.
const (
	InputCubin   InputKind = 0 // CU_JIT_INPUT_CUBIN: machine code that was compiled to be linked
	InputPTX     InputKind = 1 // CU_JIT_INPUT_PTX
	InputFatbin  InputKind = 2 // CU_JIT_INPUT_FATBINARY
	InputObject  InputKind = 3 // CU_JIT_INPUT_OBJECT: a host object with device code in it
	InputLibrary InputKind = 4 // CU_JIT_INPUT_LIBRARY: an archive of those
)

// LinkInput is a part of a program.
type LinkInput struct {
	Kind InputKind
	Name string // for errors and logs
	Data []byte // not retained
}

// Link links parts of a program, compiled to be linked, into machine code for the
// device, to be loaded as driver.SourceBinary (cuLinkCreate, cuLinkAddData,
// cuLinkComplete). The log is the linker's. A *driver.BuildError names the part that
// was refused.
func (d *Device) Link(inputs ...LinkInput) (binary []byte, log string, err error) {
	const op = "cuLinkComplete"
	if len(inputs) == 0 {
		return nil, "", refused(op, driver.ErrInvalidValue, "nothing to link")
	}
	if err := d.use(op); err != nil {
		return nil, "", err
	}
	defer d.life.Release()
	list := make([]linkInput, len(inputs))
	for i, in := range inputs {
		if err := checkInput(op, in); err != nil {
			return nil, "", err
		}
		list[i] = linkInput{kind: int(in.Kind), name: in.Name, data: in.Data}
		if in.Kind == InputPTX { // which the driver reads up to a NUL
			list[i].data = append(in.Data[:len(in.Data):len(in.Data)], 0)
		}
	}
	image, failed, info, complaint, code := rawLink(d.raw, list)
	switch {
	case code == 0:
		return image, strings.TrimSpace(info), nil
	case codes[code].kind != driver.ErrBuild && complaint == "":
		return nil, "", d.failure(op, code, "linking %d parts for %s", len(inputs), d.info.Name)
	}
	what := "all parts together"
	if failed < len(inputs) {
		op := "cuLinkAddData"
		what = fmt.Sprintf("%s: %q", op, inputs[failed].Name)
	}
	return nil, "", &driver.BuildError{
		Backend: backendName, Op: op, Code: int(code), Name: codes[code].name,
		Device: fmt.Sprintf("%s (%s)", d.info.Name, d.arch()), Log: strings.TrimSpace(what + "\n" + complaint + "\n" + info),
	}
}

func checkInput(op string, in LinkInput) error {
	switch in.Kind {
	case InputPTX:
		return checkImage(op, in.Name, driver.SourcePTX, in.Data)
	case InputCubin, InputFatbin:
		return checkImage(op, in.Name, driver.SourceBinary, in.Data)
	case InputObject, InputLibrary:
		if len(in.Data) > 0 {
			return nil
		}
	}
	return refused(op, driver.ErrInvalidValue, "%q is empty or of an unknown kind (%d)", in.Name, in.Kind)
}

// link makes machine code of PTX.
func (d *Device) link(name string, ptx []byte) ([]byte, error) {
	binary, _, err := d.Link(LinkInput{Kind: InputPTX, Name: name, Data: ptx})
	return binary, err
}
