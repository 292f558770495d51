! Times a saxpy region in Fortran, as saxpy.c does in C (fortran.sh).
program saxpy_time
  use omp_lib
  implicit none
  integer, parameter :: sizes(2) = [1000, 1000000]
  real, allocatable :: x(:), y(:)
  real(8) :: best, t
  integer :: s, n, i, k, repeats
  do s = 1, 2
    n = sizes(s)
    allocate(x(n), y(n))
    x = 1
    y = 2
    repeats = 20000000/n
    if (repeats > 2000) repeats = 2000
    best = huge(best)
    !$omp target data map(to: x) map(tofrom: y)
    do k = 1, 7 ! the first of seven warms up
      t = omp_get_wtime()
      do i = 1, repeats
        call region(x, y, n)
      end do
      best = min(best, (omp_get_wtime() - t)/repeats)
    end do
    !$omp end target data
    if (any(abs(y - (2 + 7.0*repeats)) > 0)) error stop 'wrong'
    print '(f0.1)', best*1d9
    deallocate(x, y)
  end do
contains
  subroutine region(x, y, n)
    integer, intent(in) :: n
    real, intent(in) :: x(n)
    real, intent(inout) :: y(n)
    integer :: j
    !$omp target teams distribute parallel do
    do j = 1, n
      y(j) = x(j) + y(j)
    end do
  end subroutine
end program
