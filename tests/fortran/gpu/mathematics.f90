! Description: mathematical functions of reals
subroutine test_mathematics
  implicit none
  integer :: i
  real(8) :: x(20), h(20)
  real :: y(20)
  !$omp target teams distribute parallel do map(from: x, y)
  do i = 1, 20
  x(i) = sin(0.1d0*i) + cos(0.2d0*i) + exp(-0.1d0*i) + log(1d0*i) + sqrt(1d0*i) + atan2(1d0, 1d0*i) + &
    (1d0*i)**1.5d0 + tanh(0.1d0*i) + abs(-1d0*i) + mod(7.5d0, 1d0*i) + anint(0.4d0*i) + aint(1.7d0*i) + &
    hypot(3d0, 1d0*i) + erf(0.1d0*i) + asin(0.01d0*i) + log10(1d0*i) + gamma(0.5d0*i) + modulo(-7.5d0, 1d0*i) + &
    erfc_scaled(0.3d0*i) + rrspacing(0.3d0*i)*1d-15 + set_exponent(0.3d0*i, 3) + nearest(0.3d0*i, 1d0) + bessel_jn(3, 0.4d0*i) + &
    bessel_jn(2*i, 0.9d0*i) + bessel_yn(3, 1d0*i)
  y(i) = sin(0.1*i) + (1.0*i)**2.5 + exp(-0.5*i) + (0.5*i)**3 + nint(0.7*i) + floor(1.3*i) + ceiling(0.6*i)
  end do
  do i = 1, 20
  h(i) = sin(0.1d0*i) + cos(0.2d0*i) + exp(-0.1d0*i) + log(1d0*i) + sqrt(1d0*i) + atan2(1d0, 1d0*i) + &
    (1d0*i)**1.5d0 + tanh(0.1d0*i) + abs(-1d0*i) + mod(7.5d0, 1d0*i) + anint(0.4d0*i) + aint(1.7d0*i) + &
    hypot(3d0, 1d0*i) + erf(0.1d0*i) + asin(0.01d0*i) + log10(1d0*i) + gamma(0.5d0*i) + modulo(-7.5d0, 1d0*i) + &
    erfc_scaled(0.3d0*i) + rrspacing(0.3d0*i)*1d-15 + set_exponent(0.3d0*i, 3) + nearest(0.3d0*i, 1d0) + bessel_jn(3, 0.4d0*i) + &
    bessel_jn(2*i, 0.9d0*i) + bessel_yn(3, 1d0*i)
  end do
  print *, 'mathematics', maxval(abs(x - h)) < 1d-9, nint(1000*sum(y))
end subroutine
