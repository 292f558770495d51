! Description: complex functions. Not for NVIDIA and Not on a real GPU: flang
subroutine test_complex_functions
  implicit none
  integer :: i
  complex(4) :: c, d, single(10, 8)
  complex(8) :: y, z, double(20, 8)
  !$omp target teams distribute parallel do private(c, d, y, z)
  do i = 1, 8
    c = cmplx(i*0.25, 2.25 - i*0.5, 4)
    d = cmplx(1 - i*0.125, i*0.5, 4)
    single(:, i) = [c/d, cmplx(abs(c), 0), exp(c), sqrt(c), log(c), sin(c), c**d, acos(c), tanh(c), c**3]
    z = cmplx(i*0.25d0, 2.25d0 - i*0.5d0, 8)
    y = cmplx(1 - i*0.125d0, i*0.5d0, 8)
    double(:10, i) = [z/y, cmplx(abs(z), 0, 8), exp(z), sqrt(z), log(z), sin(z), cos(z), tan(z), z**y, z**i]
    double(11:, i) = [sinh(z), cosh(z), tanh(z), asin(z), acos(z), atan(z), asinh(z), acosh(z), atanh(z), 2/z]
  end do
  print *, 'complex_functions', nint(97*real(single)), nint(97*aimag(single))
  print *, 'complex_functions', nint(1013*real(double)), nint(1013*aimag(double))
end subroutine
