// Kernels of several subjects.

__kernel void nothing(void) {}

__kernel void store(__global uint *out, uint value) { out[get_global_id(0)] = value; }

__kernel void add(__global uint *x, uint value) { x[get_global_id(0)] += value; }

__kernel void saxpy(float a, __global const float *x, __global float *y, uint n) {
    uint i = get_global_id(0);
    if (i < n) y[i] = a * x[i] + y[i];
}

// Keeps one thread busy for n steps, and tells the compiler nothing about it.
__kernel void spin(__global uint *x, ulong n) {
    uint v = x[0];
    for (ulong i = 0; i < n; i++) v = v * 1664525u + 1013904223u + (uint)i;
    x[0] = v;
}

// Counts each work-item at its place in a box of the global size, and notes its
// local id and group.
__kernel void ids(__global uint *count, __global uint *where) {
    size_t nx = get_global_size(0), ny = get_global_size(1);
    size_t at = (get_global_id(2) * ny + get_global_id(1)) * nx + get_global_id(0);
    count[at] += 1;
    where[at] = (uint)(get_local_id(0) | get_local_id(1) << 4 | get_local_id(2) << 8 | get_group_id(0) << 12 |
                       get_group_id(1) << 16 | get_group_id(2) << 20);
}

__kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixed_block(__global uint *out) {
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = 1;
}

__kernel void reverse(__global uint *x, __local uint *a, __local uint *b) {
    uint i = get_local_id(0), n = get_local_size(0), at = get_group_id(0) * n;
    a[i] = x[at + i];
    b[n - 1 - i] = x[at + i] * 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    x[at + i] = a[n - 1 - i] + b[i];
}

__kernel void is_null(__global const uint *p, __global uint *out) { out[0] = p == 0; }

__kernel void flag(uchar yes, __global uint *out) { out[0] = yes; }
