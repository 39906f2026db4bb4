__kernel void defined(__global uint *out) {
    out[0] = VALUE;
#ifdef FLAGGED
    out[1] = FLAGGED;
#else
    out[1] = 0;
#endif
}
