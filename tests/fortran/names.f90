! Description: omp_lib routines that need Fortran wrappers.
program names
  use omp_lib
  implicit none
  character(len=40) :: text
  character(len=5) :: short
  integer(8) :: length
  integer(omp_allocator_handle_kind) :: allocator
  type(omp_alloctrait) :: traits(1)
  integer :: seen(0:1), i

  call omp_set_affinity_format('thread %n')
  length = omp_get_affinity_format(text)
  if (length /= 9 .or. text /= 'thread %n') error stop 'affinity format'
  if (text(10:) /= repeat(' ', 31)) error stop 'affinity format: not filled with blanks'
  length = omp_get_affinity_format(short)
  if (length /= 9 .or. short /= 'threa') error stop 'affinity format: cut'
  length = omp_capture_affinity(text, '')
  if (length /= 8 .or. text /= 'thread 0') error stop 'captured by the format that is set'
  length = omp_capture_affinity(short, 'of %N at %L')
  if (length /= 9 .or. short /= 'of 1 ') error stop 'captured, cut'
  seen = -1
  !$omp parallel num_threads(2) private(text, length)
  length = omp_capture_affinity(text, '%n')
  if (length == 1) read (text, *) seen(omp_get_thread_num())
  !$omp end parallel
  do i = 0, 1
    if (seen(i) /= i .and. seen(i) /= -1) error stop 'captured by another thread'
  end do
  if (seen(0) /= 0) error stop 'not captured'

  traits(1) = omp_alloctrait(omp_atk_alignment, 64)
  allocator = omp_init_allocator(omp_default_mem_space, 1, traits)
  if (allocator == omp_null_allocator) error stop 'no allocator'
  call omp_destroy_allocator(allocator)
end program
