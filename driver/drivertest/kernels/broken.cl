// This file does not compile, and its fourth line is why.
__kernel void broken(__global uint *out) {
    uint here = 1;
    out[0] = undeclared_name + here;
}
