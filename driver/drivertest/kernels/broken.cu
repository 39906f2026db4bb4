// This file does not compile, and its fourth line is why.
extern "C" __global__ void broken(unsigned int *out) {
    unsigned int here = 1;
    out[0] = undeclared_name + here;
}
