# SPDX-License-Identifier: BSD-3-Clause
"""Processes of an MPI job, or a single process."""
import os

# environment variables of OpenMPI, MPICH, Intel MPI and srun
RANKS = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS", "PMIX_NAMESPACE")
SIZES = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS")  # contain the number of ranks


class Alone:
    rank, size = 0, 1

    def gather(self, item):
        return [item]

    def broadcast(self, item):
        return item

    def meet(self):
        pass

    def end(self, code):
        os._exit(code)


class Mpi:
    def __init__(self, communicator):
        self.communicator = communicator
        self.rank, self.size = communicator.Get_rank(), communicator.Get_size()

    def gather(self, item):
        return self.communicator.gather(item)

    def broadcast(self, item):
        return self.communicator.bcast(item)

    def meet(self):
        """Waits for all ranks."""
        self.communicator.Barrier()

    def end(self, code):
        """Ends all processes of the job at once."""
        self.communicator.Abort(code)


def assemble():
    """Returns the team of processes that mpirun or srun has started."""
    if not any(name in os.environ for name in RANKS):
        return Alone()
    try:
        from mpi4py import MPI
    except ImportError as error:
        if all(os.environ.get(name, "1") == "1" for name in SIZES):
            return Alone()
        raise RuntimeError(f"started by mpirun, but mpi4py is not installed (python3-mpi4py): {error}") from None
    return Mpi(MPI.COMM_WORLD) if MPI.COMM_WORLD.Get_size() > 1 else Alone()
