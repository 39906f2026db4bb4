#include "triad_cuda.h"

/* The two ends of a capture. Graphs are built on them; what is captured here is
 * thrown away. A capture of another mode than the relaxed one must end on the
 * thread that began it. Who frees asks whether a stream is being captured before it uses it;
 * so none begins in between. */
CUresult triad_cu_capture_begin(triad_cu_stream *s, int mode) {
    pthread_mutex_lock(&s->dev->lock);
    CUresult code = TRIAD_CU_IN(s->dev, triad_cu.cuStreamBeginCapture_v2(s->s, mode));
    pthread_mutex_unlock(&s->dev->lock);
    return code;
}

/* *whole tells whether the capture had not been broken, and gave a graph. */
CUresult triad_cu_capture_end(triad_cu_stream *s, int *whole) {
    CUgraph graph = 0;
    CUresult code = TRIAD_CU_IN(s->dev, triad_cu.cuStreamEndCapture(s->s, &graph));
    *whole = code == CUDA_SUCCESS && graph;
    if (graph) triad_cu.cuGraphDestroy(graph);
    return code;
}
