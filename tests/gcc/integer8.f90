! Compiled by gfortran -fdefault-integer-8: calls each omp_*_8_ function through omp_lib.
integer(4) function gcc_integer8() bind(c)
  use omp_lib
  integer :: chunk, ids(4096), places(4096), i
  integer(omp_sched_kind) :: kind
  integer(omp_allocator_handle_kind) :: allocator
  type(omp_alloctrait) :: traits(1)
  gcc_integer8 = 0
  call omp_set_num_threads(3)
  if (omp_get_max_threads() /= 3) gcc_integer8 = ior(gcc_integer8, 1_4)
  call omp_set_dynamic(.true.)
  if (.not. omp_get_dynamic()) gcc_integer8 = ior(gcc_integer8, 2_4)
  call omp_set_dynamic(.false.)
  call omp_set_max_active_levels(2)
  if (omp_get_max_active_levels() /= 2) gcc_integer8 = ior(gcc_integer8, 4_4)
  call omp_set_nested(.false.)
  if (omp_get_nested()) gcc_integer8 = ior(gcc_integer8, 8_4)
  call omp_set_schedule(omp_sched_dynamic, 17)
  call omp_get_schedule(kind, chunk)
  if (kind /= omp_sched_dynamic .or. chunk /= 17) gcc_integer8 = ior(gcc_integer8, 16_4)
  call omp_set_schedule(omp_sched_dynamic, 2_8**40)
  call omp_get_schedule(kind, chunk)
  if (chunk /= huge(1_4)) gcc_integer8 = ior(gcc_integer8, 32_4)
  call omp_set_default_device(1)
  if (omp_get_default_device() /= 1) gcc_integer8 = ior(gcc_integer8, 64_4)
  call omp_set_default_device(0)
  call omp_set_num_teams(5)
  if (omp_get_max_teams() /= 5) gcc_integer8 = ior(gcc_integer8, 128_4)
  call omp_set_teams_thread_limit(6)
  if (omp_get_teams_thread_limit() /= 6) gcc_integer8 = ior(gcc_integer8, 256_4)
  if (omp_get_ancestor_thread_num(0) /= 0 .or. omp_get_team_size(0) /= 1) gcc_integer8 = ior(gcc_integer8, 512_4)
  do i = 0, omp_get_num_places() - 1
    ids = -1
    call omp_get_place_proc_ids(i, ids)
    if (omp_get_place_num_procs(i) < 1 .or. ids(1) < 0 .or. ids(1) > 4096) gcc_integer8 = ior(gcc_integer8, 1024_4)
    if (ids(omp_get_place_num_procs(i) + 1) /= -1) gcc_integer8 = ior(gcc_integer8, 2048_4)
  end do
  places = -1
  call omp_get_partition_place_nums(places)
  if (omp_get_partition_num_places() > 0 .and. places(1) < 0) gcc_integer8 = ior(gcc_integer8, 4096_4)
  traits(1)%key = omp_atk_alignment
  traits(1)%value = 64
  allocator = omp_init_allocator(omp_default_mem_space, 1, traits)
  if (allocator == omp_null_allocator) gcc_integer8 = ior(gcc_integer8, 8192_4)
  call omp_destroy_allocator(allocator)
  call omp_display_env(.false.)
end function
