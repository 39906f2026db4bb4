#warning triad drivertest was here
extern "C" __global__ void warns(unsigned int *out) { out[0] = 1; }
