package discipline

func losses(r *rig) {}
