! Description: max and min
subroutine test_red_minmax
  implicit none
  integer :: i, hi, lo, x(1000)
  real(8) :: dhi, dlo
  do i = 1, 1000
  x(i) = mod(i*7919, 1009) - 500
  end do
  hi = -huge(0)
  lo = huge(0)
  dhi = -huge(1d0)
  dlo = huge(1d0)
  !$omp target teams distribute parallel do reduction(max: hi, dhi) reduction(min: lo, dlo) map(tofrom: hi, lo, dhi, dlo)
  do i = 1, 1000
  hi = max(hi, x(i))
  lo = min(lo, x(i))
  dhi = max(dhi, 0.25d0*x(i))
  dlo = min(dlo, 0.25d0*x(i))
  end do
  print *, 'red_minmax', hi, lo, dhi, dlo
end subroutine
