! Description: reductions of complex numbers
subroutine test_red_complex
  implicit none
  integer :: i
  complex(8) :: z, y
  complex(4) :: w, v
  z = (1d0, 2d0)
  w = (0.0, 0.0)
  y = 1
  v = 1
  !$omp target teams distribute parallel do reduction(+: z, w) map(tofrom: z, w)
  do i = 1, 100
  z = z + cmplx(i, -i, 8)
  w = w + cmplx(0.5*i, 2.0)
  end do
  !$omp target parallel do reduction(*: y, v) map(tofrom: y, v)
  do i = 1, 8
  v = v*(0.0, 1.0)
  if (i <= 3) y = y*(1d0, 1d0)
  end do
  print *, 'red_complex', real(z), aimag(z), real(w), aimag(w), nint(real(v)), nint(real(y)), nint(aimag(y))
end subroutine
