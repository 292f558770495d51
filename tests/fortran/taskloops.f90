! Description: taskloop with firstprivate and lastprivate variables.
program taskloops
  implicit none
  integer :: last, first, i, sum
  real(8) :: x, y
  last = -1; first = 40; sum = 0; x = 1.5d0; y = 0
  !$omp parallel num_threads(3)
  !$omp single
  !$omp taskloop lastprivate(last, y) firstprivate(first, x) grainsize(3) shared(sum)
  do i = 1, 100
    first = first + 1
    last = i
    y = x * i
    !$omp atomic
    sum = sum + i
  end do
  !$omp end taskloop
  !$omp end single
  !$omp end parallel
  if (last /= 100 .or. y /= 150 .or. sum /= 5050 .or. first /= 40) error stop 'taskloop'
end program
