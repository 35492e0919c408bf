/* SPDX-License-Identifier: BSD-3-Clause */
/* The backend "opencl": cuda/backend with OpenCL's function table. */
#include "cuda/backend/cuda_state.h"
#include "opencl/opencl_internal.h"

static const char *opencl_unusable(void)
{
    const char *why;
    return ldpc_opencl_driver_open(&why) ? NULL : why;
}

static const char *opencl_no_gpu(void)
{
    const char *why = opencl_unusable();
    if (!why && !(ldpc_opencl_device_at(0)->type & CL_DEVICE_TYPE_GPU))
        return "OpenCL has no GPU device";
    return why;
}

static const char *opencl_kernel_name(size_t i)
{
    const ldpc_cuda_kernel *kernel;
    for (size_t row = 0; (kernel = ldpc_cuda_kernel_at(row)); row++)
        if (kernel->opencl && i-- == 0)
            return kernel->name;
    return NULL;
}

static const char *opencl_device_name(size_t i)
{
    const ldpc_opencl_device *device = i < LDPC_OPENCL_MOST_DEVICES ? ldpc_opencl_device_at((int)i) : NULL;
    return device ? device->name : NULL;
}

static ldpc_status opencl_create(const ldpc_plan *plan, void **state, ldpc_backend_facts *facts,
                                 ldpc_error *err)
{
    static const ldpc_cuda_platform platform = {
        .open = ldpc_opencl_driver_open,
        .read_devices = ldpc_opencl_read_devices,
        .devices = ", \"all\", \"gpu\", \"cpu\" or parts of platform or device names, separated by commas",
    };
    return ldpc_cuda_create(&platform, plan, state, facts, err);
}

const ldpc_backend ldpc_opencl_backend = {
    .name = "opencl",
    .arithmetic = LDPC_ARITHMETIC_I16,
    .nonbinary = true,
    .unusable = opencl_unusable,
    .no_gpu = opencl_no_gpu,
    .kernel = opencl_kernel_name,
    .device = opencl_device_name,
    .create = opencl_create,
    .destroy = ldpc_cuda_destroy,
    .abandon = ldpc_cuda_abandon,
    .free_in_child = ldpc_cuda_free_in_child,
    .decode = ldpc_cuda_decode,
    .submit = ldpc_cuda_submit,
    .alloc = ldpc_cuda_alloc,
    .free = ldpc_cuda_free,
    .pin = ldpc_cuda_pin,
    .unpin = ldpc_cuda_unpin,
    .update = ldpc_cuda_update,
};
