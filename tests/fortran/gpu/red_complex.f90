! Description: reductions of complex numbers
subroutine test_red_complex
  implicit none
  integer :: i
  complex(8) :: z
  complex(4) :: w
  z = (1d0, 2d0)
  w = (0.0, 0.0)
  !$omp target parallel do reduction(+: z, w) map(tofrom: z, w)
  do i = 1, 100
  z = z + cmplx(i, -i, 8)
  w = w + cmplx(0.5*i, 2.0)
  end do
  print *, 'red_complex', real(z), aimag(z), real(w), aimag(w)
end subroutine
