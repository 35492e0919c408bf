/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows a kernel's source. */
static const void *emu_arguments;

template <class args> static const args &emu_arguments_for(void (*)(args))
{
    return *(const args *)emu_arguments;
}

static void emu_thread()
{
    EMU_KERNEL(emu_arguments_for(EMU_KERNEL));
    emu_finished[threadIdx.x] = true;
    _longjmp(emu_scheduler, 1);
}

static void check_threads(unsigned threads)
{
    if (threads > emu_launch_bounds[0]) {
        std::fprintf(stderr, "emulate: %u threads, expected at most %u\n", threads,
                     (unsigned)emu_launch_bounds[0]);
        std::exit(1);
    }
}

extern "C" void emulate(const void *args, unsigned blocks, unsigned threads)
{
    check_threads(threads);
    emu_arguments = args;
    emu_stacks = (char *)std::malloc((size_t)threads * STACK);
    blockDim.x = threads;
    gridDim.x = blocks;
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++)
        emu_block();
    std::free(emu_stacks);
}
