! Description: omp_* functions that the program declares, without omp_lib.
program externals
  implicit none
  integer :: omp_get_num_threads, omp_get_thread_num, omp_get_max_threads, omp_get_level, omp_get_ancestor_thread_num
  integer :: omp_get_max_active_levels, omp_get_num_procs
  logical :: omp_in_parallel, omp_get_dynamic, omp_test_lock, omp_is_initial_device
  double precision :: omp_get_wtime, begin
  external :: omp_set_num_threads
  integer(8) :: lock
  integer :: kind, chunk, total, seen(0:2), i
  logical :: inside

  begin = omp_get_wtime()
  call omp_set_dynamic(.false.)
  if (omp_get_dynamic()) error stop 'dynamic'
  call omp_set_num_threads(3)
  if (omp_get_max_threads() /= 3) error stop 'max_threads'
  call omp_set_max_active_levels(2)
  if (omp_get_max_active_levels() /= 2) error stop 'max_active_levels'
  call omp_set_schedule(2, 5)
  call omp_get_schedule(kind, chunk)
  if (kind /= 2 .or. chunk /= 5) error stop 'schedule'
  if (omp_in_parallel()) error stop 'in_parallel, outside'
  if (.not. omp_is_initial_device()) error stop 'is_initial_device'
  if (omp_get_num_procs() < 1) error stop 'num_procs'
  call omp_init_lock(lock)
  if (.not. omp_test_lock(lock)) error stop 'test_lock, free'
  if (omp_test_lock(lock)) error stop 'test_lock, taken'
  call omp_unset_lock(lock)
  total = 0
  seen = 0
  inside = .true.
  !$omp parallel num_threads(3) reduction(.and.: inside)
  inside = omp_in_parallel() .and. omp_get_level() == 1 .and. omp_get_ancestor_thread_num(0) == 0
  seen(omp_get_thread_num()) = omp_get_num_threads()
  do i = 1, 1000
    call omp_set_lock(lock)
    total = total + 1
    call omp_unset_lock(lock)
  end do
  !$omp end parallel
  call omp_destroy_lock(lock)
  if (.not. inside) error stop 'in_parallel, level or ancestor'
  if (total /= 1000 * seen(0) .or. any(seen /= 0 .and. seen /= seen(0))) error stop 'threads or lock'
  if (omp_get_wtime() < begin) error stop 'wtime'
end program
