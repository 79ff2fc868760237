#pragma once
/// \file
/// The processes a launcher (mpirun, mpiexec, srun) started this program as.

#include <functional>
#include <string>

#include "io/case/input_error.hpp"

namespace swe::io {

struct Processes {
  int count = 1;
  int rank = 0;          ///< of this one, from 0
  std::string variable;  ///< of the environment, as `NAME=value`, that told the count; empty when none did

  [[nodiscard]] bool several() const { return count > 1; }
  [[nodiscard]] bool first() const { return rank == 0; }
};

/// Value of an environment variable, or nullptr.
using Environment = std::function<char const*(char const*)>;

/// Reads what Open MPI, MPICH and Intel MPI (PMI), PMIx and Slurm's srun tell the processes they start. A
/// batch script of Slurm is one process, however many tasks its job may have. One process where nothing is
/// said.
[[nodiscard]] Processes launched_processes(Environment const& environment);
/// The same from this process's environment.
[[nodiscard]] Processes launched_processes();

/// Why a program that computes in one process will not start as several.
[[nodiscard]] Problem too_many_processes(Processes const& processes);

/// From now on this process prints nothing, neither results nor errors: another one speaks for it.
void be_silent();

/// Waits until the first process has had time to say what is wrong: launchers end all processes as soon as
/// one fails.
void let_the_first_process_speak();

}  // namespace swe::io
