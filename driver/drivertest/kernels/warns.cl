#warning triad drivertest was here
__kernel void warns(__global uint *out) { out[0] = 1; }
