#include "triad_hip_c.h"

/* The two ends of a capture. Graphs are built on them; what is captured here is
 * thrown away. A capture of another mode than the relaxed one must end on the
 * thread that began it. Who frees asks whether a stream is being captured before it uses it;
 * so none begins in between. */
hipError_t triad_hip_capture_begin(triad_hip_stream *s, int mode) {
    pthread_mutex_lock(&s->dev->lock);
    hipError_t code = TRIAD_HIP_IN(s->dev, triad_hip.hipStreamBeginCapture(s->s, mode));
    pthread_mutex_unlock(&s->dev->lock);
    return code;
}

/* *whole tells whether the capture had not been broken, and gave a graph. */
hipError_t triad_hip_capture_end(triad_hip_stream *s, int *whole) {
    hipGraph_t graph = 0;
    hipError_t code = TRIAD_HIP_IN(s->dev, triad_hip.hipStreamEndCapture(s->s, &graph));
    *whole = code == hipSuccess && graph;
    if (graph) triad_hip_checked(triad_hip.hipGraphDestroy(graph));
    return code;
}
