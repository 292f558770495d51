! Description: two loops with 8-byte variables are inlined.
program inlined
  implicit none
  integer(8), parameter :: n = 1000
  real(8) :: a(n), c(n)
  a = 1
  c = 0
  call one(a, c)
  call two(a, c)
  if (any(c /= 4)) error stop 'two loops: wrong'
contains
  subroutine one(a, c)
    real(8) :: a(n), c(n)
    integer(8) :: i
    !$omp target teams distribute parallel do map(tofrom: c) map(to: a)
    do i = 1, n
      c(i) = c(i) + a(i)
    end do
  end subroutine
  subroutine two(a, c)
    real(8) :: a(n), c(n)
    integer(8) :: i
    !$omp target teams distribute parallel do map(tofrom: c) map(to: a)
    do i = 1, n
      c(i) = c(i) + 3*a(i)
    end do
  end subroutine
end program
