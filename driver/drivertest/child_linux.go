package drivertest

import (
	"os/exec"
	"syscall"
)

// dieWithParent has the child end when the thread that starts it does, which must be
// locked for as long.
func dieWithParent(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
