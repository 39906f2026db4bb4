#include "triad_cuda.h"

/* The two ends of a capture. Graphs are built on them; what is captured here is
 * thrown away. A capture of another mode than the relaxed one must end on the
 * thread that began it. */
CUresult triad_cu_capture_begin(triad_cu_stream *s, int mode) {
    return TRIAD_CU_IN(s->dev, triad_cu.cuStreamBeginCapture_v2(s->s, mode));
}

/* *whole tells whether the capture had not been broken, and gave a graph. */
CUresult triad_cu_capture_end(triad_cu_stream *s, int *whole) {
    CUgraph graph = 0;
    CUresult code = TRIAD_CU_IN(s->dev, triad_cu.cuStreamEndCapture(s->s, &graph));
    *whole = code == CUDA_SUCCESS && graph;
    if (graph) triad_cu.cuGraphDestroy(graph);
    return code;
}
