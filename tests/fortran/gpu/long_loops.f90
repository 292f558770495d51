! Description: loops of 64-bit integers
subroutine test_long_loops
  implicit none
  integer(8) :: i
  integer :: a(99)
  a = 0
  !$omp target teams distribute parallel do map(tofrom: a)
  do i = 1_8, 99_8
  a(i) = int(i)
  end do
  print *, 'long_loops', sum(a)
end subroutine
