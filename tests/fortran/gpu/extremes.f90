! Description: NaN, infinities and large exponents in array and number functions
subroutine test_extremes
  implicit none
  real(8) :: x(5), y(3), z(3), s(8), none, huge_8, n2(3)
  real(4) :: w(3), t(6)
  integer :: i(12), k, e(3)
  k = 0
  x = [1d0, 3d0, 2d0, 3d0, 1d0]
  none = x(1) - 1
  none = none/none
  x(1) = none
  x(5) = none
  y = none
  z = [1d200, 2d200, -2d200]
  w = [1e30, -2e30, 2e30]
  huge_8 = huge(huge_8)
  !$omp target map(to: x, y, z, w, none, huge_8) map(from: i, s, t, e, n2) map(tofrom: k)
  i(1:1) = maxloc(x)
  i(2:2) = minloc(x)
  i(3:3) = maxloc(y)
  i(4:4) = maxloc(x, back=.true.)
  i(5:5) = minloc(y, back=.true.)
  i(6:6) = maxloc(x, mask=x > 5)
  i(7) = merge(1, 0, maxval(x) == 3)
  i(8) = merge(1, 0, minval(y) == minval(y))
  i(9) = merge(1, 0, minval(x) == 2)
  s(1) = scale(0d0*x(2), 5000 + k)
  s(2) = scale(tiny(huge_8), 2000 + k)
  s(3) = scale(1.5d0, -1074 + k)
  s(4) = scale(1.25d0 + x(2) - 3, -1075 + k)
  s(5) = scale(x(2), -100000 + k)
  s(6) = merge(1d0, 0d0, scale(x(2), 100000 + k) > huge_8)
  s(7) = spacing(x(2))
  s(8) = spacing(tiny(huge_8)*x(2)/16)
  t(1) = scale(0.0*w(1), 5000 + k)
  t(2) = scale(1.0 + 0*w(1), -149 + k)
  t(3) = scale(tiny(1.0) + 0*w(1), 200 + k)
  t(4) = norm2(w)
  t(5) = spacing(w(1))
  t(6) = fraction(w(2))
  e(1) = exponent(x(2))
  e(2) = exponent(huge_8*2)
  e(3) = exponent(w(2))
  n2(1) = norm2(z)
  n2(2) = norm2(z*1d-200*1d-200)
  n2(3) = norm2(z*0)
  !$omp end target
  print *, 'extremes', i(1:9)
  print *, s
  print *, t, e
  print *, n2
end subroutine
