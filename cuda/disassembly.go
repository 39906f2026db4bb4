package cuda

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/triad-gpu/triad/driver"
)

// Disassembly implements driver.Disassembler, by a tool of the CUDA toolkit's that
// prints machine code: nvdisasm, or cuobjdump for fatbins, found in PATH, or in the
// folder bin of CUDA_HOME, CUDA_PATH or /usr/local/cuda. Of PTX, which was loaded as
// it is, it is what the driver's linker makes of that.
func (m *Module) Disassembly() (string, error) {
	const op = "Module.Disassembly"
	if err := m.use(op); err != nil {
		return "", err
	}
	defer m.life.Release()
	code, err := m.Binary()
	if err != nil {
		return "", err
	}
	// Each disassembles cubins; of the second, only a fatbin needs it.
	tools := [][]string{{"nvdisasm", "-c"}, {"cuobjdump", "-sass"}}
	if !bytes.HasPrefix(code, []byte(elf.ELFMAG)) {
		tools = tools[1:]
	}
	for _, tool := range tools {
		if path := findTool(tool[0]); path != "" {
			return m.disassemble(op, path, tool[1:], code)
		}
	}
	return "", refused(op, driver.ErrUnsupported, "%s of the CUDA toolkit is not installed: neither in PATH nor in CUDA_HOME/bin, CUDA_PATH/bin or /usr/local/cuda/bin", tools[0][0])
}

// findTool is the path of a tool of the toolkit's; "" if there is none.
func findTool(name string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	for _, root := range []string{os.Getenv("CUDA_HOME"), os.Getenv("CUDA_PATH"), "/usr/local/cuda"} {
		if root == "" {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(root, "bin", name)); err == nil {
			return path
		}
	}
	return ""
}

func (m *Module) disassemble(op, tool string, args []string, code []byte) (string, error) {
	dir, err := os.MkdirTemp("", "triad-disassembly-")
	if err != nil {
		return "", refused(op, driver.ErrUnavailable, "no place for the machine code: %v", err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "code.cubin")
	if !bytes.HasPrefix(code, []byte(elf.ELFMAG)) {
		file = filepath.Join(dir, "code.fatbin")
	}
	if err := os.WriteFile(file, code, 0o600); err != nil {
		return "", refused(op, driver.ErrUnavailable, "no place for the machine code: %v", err)
	}
	var out, complaint bytes.Buffer
	cmd := exec.Command(tool, append(args[:len(args):len(args)], file)...)
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		return "", refused(op, driver.ErrUnsupported, "%s failed on %q: %v; %s", tool, m.name, err, strings.TrimSpace(complaint.String()))
	}
	return out.String(), nil
}
