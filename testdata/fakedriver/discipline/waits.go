package discipline

func waits(r *rig) {}

// Points.
type Points struct{}
