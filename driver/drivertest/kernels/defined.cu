extern "C" __global__ void defined(unsigned int *out) {
    out[0] = VALUE;
#ifdef FLAGGED
    out[1] = FLAGGED;
#else
    out[1] = 0;
#endif
}
