! Description: bit reductions
subroutine test_red_bits
  implicit none
  integer :: i, a, o, x
  a = not(0)
  o = 0
  x = 0
  !$omp target teams distribute parallel do reduction(iand: a) reduction(ior: o) reduction(ieor: x) map(tofrom: a, o, x)
  do i = 1, 500
  a = iand(a, ior(i, 64))
  o = ior(o, i)
  x = ieor(x, i)
  end do
  print *, 'red_bits', a, o, x
end subroutine
