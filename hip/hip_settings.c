#include "triad_hip_c.h"

/* What two devices can do with each other's memory. */
hipError_t triad_hip_peer_possible(int from, int to, int *yes) {
    return triad_hip_checked(triad_hip.hipDeviceCanAccessPeer(yes, from, to));
}

hipError_t triad_hip_peer_attribute(int from, int to, int attribute, int *value) {
    if (!triad_hip.hipDeviceGetP2PAttribute) return hipErrorNotSupported;
    return triad_hip_checked(triad_hip.hipDeviceGetP2PAttribute(value, attribute, from, to));
}

/* Memory of a pool is not covered by hipDeviceEnablePeerAccess: each pool is told who
 * may read and write it. */
static hipError_t pool_access(triad_hip_device *of, int who, hipMemAccessFlags how) {
    if (!of->pool) return hipSuccess;
    hipMemAccessDesc access = {.location = {hipMemLocationTypeDevice, who}, .flags = how};
    return TRIAD_HIP_MAYBE(hipMemPoolSetAccess, of->pool, &access, 1);
}

/* Has d's kernels read and write peer's memory. That they can already is no error. */
hipError_t triad_hip_peer_enable(triad_hip_device *d, triad_hip_device *peer) {
    hipError_t code = TRIAD_HIP_CALM(d, triad_hip.hipDeviceEnablePeerAccess(peer->id, 0));
    if (code != hipSuccess && code != hipErrorPeerAccessAlreadyEnabled) return code;
    return TRIAD_HIP_CALM(peer, pool_access(peer, d->id, hipMemAccessFlagsProtReadWrite));
}

hipError_t triad_hip_peer_disable(triad_hip_device *d, triad_hip_device *peer) {
    hipError_t code = TRIAD_HIP_CALM(d, triad_hip.hipDeviceDisablePeerAccess(peer->id));
    if (code != hipSuccess && code != hipErrorPeerAccessNotEnabled) return code;
    return TRIAD_HIP_CALM(peer, pool_access(peer, d->id, hipMemAccessFlagsProtNone));
}

hipError_t triad_hip_device_limit(triad_hip_device *d, int limit, size_t *value) {
    return TRIAD_HIP_CALM(d, triad_hip.hipDeviceGetLimit(value, limit));
}

hipError_t triad_hip_device_set_limit(triad_hip_device *d, int limit, size_t value) {
    if (!triad_hip.hipDeviceSetLimit) return hipErrorNotSupported;
    return TRIAD_HIP_CALM(d, triad_hip.hipDeviceSetLimit(limit, value));
}

hipError_t triad_hip_device_cache(triad_hip_device *d, int *config) {
    return TRIAD_HIP_CALM(d, triad_hip.hipDeviceGetCacheConfig(config));
}

hipError_t triad_hip_device_set_cache(triad_hip_device *d, int config) {
    return TRIAD_HIP_CALM(d, triad_hip.hipDeviceSetCacheConfig(config));
}

hipError_t triad_hip_device_priorities(triad_hip_device *d, int *least, int *greatest) {
    return TRIAD_HIP_CALM(d, triad_hip.hipDeviceGetStreamPriorityRange(least, greatest));
}

hipError_t triad_hip_device_flags(triad_hip_device *d, unsigned int *flags) {
    return TRIAD_HIP_CALM(d, triad_hip.hipGetDeviceFlags(flags));
}

hipError_t triad_hip_device_set_flags(triad_hip_device *d, unsigned int flags) {
    return TRIAD_HIP_CALM(d, triad_hip.hipSetDeviceFlags(flags));
}
