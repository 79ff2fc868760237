#include "io/output/processes.hpp"

#include <map>

#include "tests/catch.hpp"

using namespace swe::io;

namespace {

Processes in(std::map<std::string, std::string> const& variables) {
  return launched_processes([&](char const* name) -> char const* {
    auto const found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

}  // namespace

TEST_CASE("processes_are_counted_as_the_launcher_says") {
  struct Launched {
    std::map<std::string, std::string> variables;
    int count, rank;
  };
  for (auto const& [variables, count, rank] : {
           Launched{{}, 1, 0},
           {{{"OMPI_COMM_WORLD_SIZE", "3"}, {"OMPI_COMM_WORLD_RANK", "2"}, {"PMIX_RANK", "2"}}, 3, 2},
           {{{"OMPI_COMM_WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_RANK", "0"}}, 1, 0},
           {{{"PMI_SIZE", "4"}, {"PMI_RANK", "0"}}, 4, 0},
           {{{"PMIX_RANK", "1"}}, 2, 1},
           {{{"PMIX_RANK", "0"}}, 1, 0},
           // a batch script: one process, whatever its job may hold
           {{{"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}, {"SLURM_JOB_ID", "7"}}, 1, 0},
           // srun inside it
           {{{"SLURM_NTASKS", "8"},
             {"SLURM_STEP_ID", "0"},
             {"SLURM_STEP_NUM_TASKS", "8"},
             {"SLURM_PROCID", "5"}},
            8,
            5},
           {{{"SLURM_NTASKS", "8"},
             {"SLURM_STEP_ID", "0"},
             {"SLURM_STEP_NUM_TASKS", "1"},
             {"SLURM_PROCID", "0"}},
            1,
            0},
           // mpirun inside srun
           {{{"OMPI_COMM_WORLD_SIZE", "2"},
             {"OMPI_COMM_WORLD_RANK", "1"},
             {"SLURM_STEP_NUM_TASKS", "1"},
             {"SLURM_PROCID", "0"}},
            2,
            1},
           {{{"OMPI_COMM_WORLD_SIZE", "many"}, {"OMPI_COMM_WORLD_RANK", ""}}, 1, 0},
       }) {
    auto const found = in(variables);
    CHECK(found.count == count);
    CHECK(found.rank == rank);
    if (count > 1) CHECK(!found.variable.empty());
  }
}

TEST_CASE("too_many_processes_are_refused_with_both_numbers") {
  auto const text = too_many_processes(in({{"PMI_SIZE", "4"}, {"PMI_RANK", "0"}})).text();
  CHECK(text.find("4 processes (PMI_SIZE=4)") != std::string::npos);
  CHECK(text.find("computes in 1") != std::string::npos);
}
