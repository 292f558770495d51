! Description: sum and product of integers and reals
subroutine test_red_sum
  implicit none
  integer :: i, s, p
  integer(8) :: l
  real(8) :: d
  s = 1
  p = 1
  l = 2
  d = 0.5d0
  !$omp target teams distribute parallel do reduction(+: s, l, d) reduction(*: p) map(tofrom: s, p, l, d)
  do i = 1, 2000
  s = s + i
  l = l + i*1000000_8
  d = d + i
  if (mod(i, 400) == 0) p = p*3
  end do
  print *, 'red_sum', s, p, l, d
end subroutine
