! Description: integers and reals of all kinds
subroutine test_kinds
  implicit none
  integer(1) :: a(9)
  integer(2) :: b(9)
  integer(8) :: c(9)
  real(4) :: x(9)
  logical(1) :: l(9)
  integer :: i
  !$omp target teams distribute parallel do map(from: a, b, c, x, l)
  do i = 1, 9
  a(i) = int(i*14, 1)
  b(i) = int(i*3000, 2)
  c(i) = i*10000000000_8
  x(i) = 0.25*i
  l(i) = mod(i, 3) == 0
  end do
  print *, 'kinds', sum(int(a)), sum(int(b)), sum(c), sum(x), count(l)
end subroutine
