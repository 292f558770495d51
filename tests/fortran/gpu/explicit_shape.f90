! Description: explicit-shape and assumed-size dummy arguments
subroutine test_explicit_shape
  implicit none
  integer :: v(30)
  v = 1
  call one(v, 30)
  call two(v, 10)
  print *, 'explicit_shape', sum(v), v(10), v(11)
  contains
  subroutine one(a, n)
    integer, intent(in) :: n
    integer :: a(n), i
    !$omp target teams distribute parallel do map(tofrom: a)
    do i = 1, n
      a(i) = a(i) + i
    end do
  end subroutine
  subroutine two(a, n)
    integer, intent(in) :: n
    integer :: a(*), i
    !$omp target teams distribute parallel do map(tofrom: a(1:n))
    do i = 1, n
      a(i) = a(i)*2
    end do
  end subroutine
end subroutine
