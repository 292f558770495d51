! Description: tasks
! Not for AMD: flang 22 crashes
subroutine test_tasks
  implicit none
  integer :: i, a(8)
  a = 0
  !$omp target map(tofrom: a)
  do i = 1, 8
  !$omp task firstprivate(i) shared(a)
  a(i) = i*i
  !$omp end task
  end do
  !$omp taskwait
  !$omp end target
  print *, 'tasks', a
end subroutine
