/* What solo-bench asks, and what the project has promised. */
#include "bench/solo_bench.h"

#define ALL_BUT_HOST (BIT(STATIC) | BIT(DROPIN) | BIT(PEER) | BIT(PEER22) | BIT(LIMIT))
#define TARGET       (ALL_BUT_HOST | BIT(GOMP))
#define APPS         (BIT(STATIC) | BIT(DROPIN) | BIT(PEER) | BIT(PEER22) | BIT(HOST))

const char *const contestant_name[CONTESTANTS] = {"static", "dropin", "peer", "peer22",
                                                  "host",   "gomp",   "limit"};

const question questions[] = {
    {"startup", "q_startup", ALL_BUT_HOST, 1, FROM_OUTSIDE, "a whole process with one region"},
    {"register", "q_register", BIT(DROPIN) | BIT(PEER), 1, FROM_OUTSIDE,
     "a process with 1,000 images of 100 entries, one kernel run"},
    {"launch", "q_launch", TARGET, 1, FROM_INSIDE, "starting a region"},
    {"mapping", "q_mapping", ALL_BUT_HOST, 2, FROM_INSIDE, "the mapping table by size and threads"},
    {"transfer", "q_transfer", ALL_BUT_HOST, 1, FROM_INSIDE, "moving data"},
    {"nowait", "q_nowait", ALL_BUT_HOST, 2, FROM_INSIDE, "asynchronous regions"},
    {"teams", "q_teams", TARGET | BIT(HOST), 2, FROM_INSIDE, "parallel regions on the device"},
    {"threads", "q_threads", BIT(STATIC) | BIT(HOST) | BIT(GOMP), 2, FROM_INSIDE,
     "host threads: fork and join, tasks, loops"},
    {"size/nothing", "size_nothing", BIT(LIMIT), 1, BY_SIZE, "a static program of nothing"},
    {"size/target", "size_target", BIT(STATIC), 1, BY_SIZE, "... with one target region"},
    {"size/data", "size_data", BIT(STATIC), 1, BY_SIZE, "... target data and a strided update"},
    {"size/teams", "size_teams", BIT(STATIC), 1, BY_SIZE, "... target teams with a reduction"},
    {"size/parallel", "size_parallel", BIT(STATIC), 1, BY_SIZE, "... a host parallel loop"},
    {"size/tasks", "size_tasks", BIT(STATIC), 1, BY_SIZE, "... tasks and target nowait, depend"},
    {"size/api", "size_api", BIT(STATIC), 1, BY_SIZE, "... omp_target_alloc and _memcpy only"},
    {"size/zaxpy", "size_zaxpy", BIT(STATIC), 1, BY_SIZE, "the example zaxpy"},
    {"app/stream", "stream", APPS, 2, FROM_INSIDE, "STREAM triad"},
    {"app/lattice", "lattice", APPS, 2, FROM_INSIDE, "Lattice-Boltzmann, D2Q9"},
    {"app/cross", "cross", APPS, 2, FROM_INSIDE, "Monte-Carlo cross-section look-up"},
    {"app/dynamics", "dynamics", APPS, 2, FROM_INSIDE, "molecular dynamics, Lennard-Jones"},
    {"app/cg", "cg", APPS, 2, FROM_INSIDE, "conjugate gradient, many small regions"},
    {"app/cg_serial", "cg_serial", APPS, 1, FROM_INSIDE, "the same, each region one thread's"},
};
const size_t question_count = sizeof questions / sizeof questions[0];

const bar bars[] = {
    {9, "startup/wall", TIMES_PEER, STATIC, 40},
    {9, "startup/wall", OF_LIMIT, STATIC, 1.2},
    {9, "startup/memory", TIMES_PEER, STATIC, 40},
    {9, "register/wall", TIMES_PEER, DROPIN, 20},
    {9, "launch/empty", TIMES_PEER, STATIC, 40},
    {9, "launch/present_512", TIMES_PEER, STATIC, 20},
    {9, "launch/unmapped_512", TIMES_PEER, STATIC, 12},
    {9, "mapping/launch_1e5", TIMES_PEER, STATIC, 10},
    {9, "mapping/scaling_2", AT_LEAST, STATIC, 1.95},
    {9, "nowait/independent", TIMES_PEER, STATIC, 10},
    {9, "teams/1000", TIMES_PEER, STATIC, 3},
    {9, "app/stream", TIMES_PEER, STATIC, 1},
    {9, "app/lattice", TIMES_PEER, STATIC, 1},
    {9, "app/cross", TIMES_PEER, STATIC, 1},
    {9, "app/dynamics", TIMES_PEER, STATIC, 1},
    {9, "app/cg", TIMES_PEER, STATIC, 3},
    {9, "app/cg_serial", TIMES_PEER, STATIC, 3},
    {9, "app/stream", TIMES_HOST, STATIC, 1},
    {9, "app/lattice", TIMES_HOST, STATIC, 1},
    {9, "app/cross", TIMES_HOST, STATIC, 1},
    {9, "app/dynamics", TIMES_HOST, STATIC, 1},
    {9, "app/cg", TIMES_HOST, STATIC, 1},
    {9, "app/cg_serial", TIMES_HOST, STATIC, 1},
    {2, "startup/wall", TIMES_PEER, STATIC, 40},
    {2, "startup/wall", OF_LIMIT, STATIC, 1.3},
    {2, "startup/memory", TIMES_PEER, STATIC, 25},
    {2, "startup/system_calls", MORE_THAN_LIMIT, STATIC, 8},
    {2, "startup/page_faults", MORE_THAN_LIMIT, STATIC, 60},
    {2, "size/zaxpy", AT_MOST, STATIC, 160},
    {2, "launch/empty", TIMES_PEER, STATIC, 30},
    {2, "launch/present_512", TIMES_PEER, STATIC, 15},
    {2, "launch/unmapped_512", TIMES_PEER, STATIC, 10},
    {2, "mapping/launch_1e5", TIMES_PEER, STATIC, 8},
    {2, "mapping/scaling_2", AT_LEAST, STATIC, 1.9},
    {5, "teams/1000", TIMES_PEER, STATIC, 2.5},
    {5, "nowait/independent", TIMES_PEER, STATIC, 8},
    {5, "threads/parallel_1", TIMES_HOST, STATIC, 1},
    {5, "threads/parallel_2", TIMES_HOST, STATIC, 1},
    {5, "threads/parallel_8", TIMES_HOST, STATIC, 1},
    {5, "threads/task", TIMES_HOST, STATIC, 1},
    {5, "threads/dynamic_1", TIMES_HOST, STATIC, 1},
};
const size_t bar_count = sizeof bars / sizeof bars[0];
