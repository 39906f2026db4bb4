package discipline

func crowd(r *rig) {}
