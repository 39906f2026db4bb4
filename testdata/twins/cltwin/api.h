/* api.h: what the twin's files share. */
#ifndef TRIAD_CLTWIN_API_H
#define TRIAD_CLTWIN_API_H

#include "twin.h"

#define TWIN_MEMBER(kind, version, result, name, params) result(*name) params;
struct twin_api {
    TRIAD_CL_FUNCTIONS(TWIN_MEMBER)
};
#undef TWIN_MEMBER
extern struct twin_api twin_cl;

#define TRY(call)                              \
    do {                                       \
        cl_int code_ = (call);                 \
        if (code_ != CL_SUCCESS) return code_; \
    } while (0)

int64_t twin_now(void);
cl_int twin_lane_open(twin *t, twin_lane *lane);
void twin_lane_close(twin_lane *lane);

/* Sets the four arguments and enqueues; ev may be 0. */
cl_int twin_launch4(const twin *t, const twin_lane *lane, cl_uint n, cl_event *ev);

#endif
