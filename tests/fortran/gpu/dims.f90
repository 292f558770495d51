! Description: functions with DIM, shifts
subroutine test_dims
  implicit none
  integer :: a(4, 3, 2), i, d, k(9), m1(3, 2), m2(4, 2), m3(4, 3), c1(3), c2(4), l1(3), l2(4), f1(4), f2(2), e(3), z(0, 3)
  integer :: s1(4, 3), s2(4, 3), s3(4, 3), s4(4, 3), by(4), by3(3), v(7)
  real(8) :: x(4, 3), rx(3), ry(4), rz(4), pr(3, 3)
  complex(8) :: c(6), cs(3)
  logical :: l(4, 3), q(3), q2(4), q3(4), lm(3, 3)
  character(2) :: ch(5), cv(5)
  a = reshape([(mod(i*7, 23) - 8, i=1, 24)], [4, 3, 2])
  x = a(:, :, 1) * 0.5d0
  l = x > 0
  c = [(cmplx(i, -i*0.5d0, 8), i=1, 6)]
  ch = ['ab', 'cd', 'ef', 'cd', 'gh']
  by = [1, -2, 0, 9]
  by3 = [-1, 2, 5]
  d = 2
  k = 0
  !$omp target map(to: a, x, l, c, ch, by, by3, d, z) map(from: m1, m2, m3, c1, c2, l1, l2, f1, f2, e, rx, ry, rz, q, q2, q3) &
  !$omp& map(from: s1, s2, s3, s4, v, cv, pr, lm, cs) map(tofrom: k)
  m1 = maxval(a, dim=1)
  m2 = minval(a, dim=d)
  m3 = product(a, dim=3)
  rx = maxval(x, dim=1, mask=l)
  ry = minval(x, dim=d, mask=l)
  rz = norm2(x, dim=d)
  q = any(l, dim=1)
  q2 = all(l, dim=d)
  q3 = parity(l, dim=2)
  c1 = count(l, dim=1)
  c2 = count(l, dim=d)
  l1 = maxloc(x, dim=1)
  l2 = minloc(x, dim=d, mask=l, back=d == 2)
  f1 = findloc(a(:, :, 1), 6, dim=d)
  f2 = findloc(x, 3d0)
  e = maxval(z, dim=1)
  k(1) = findloc(ch, 'cd', dim=1, back=d == 2)
  k(2) = iall(a)
  k(3) = iany(a)
  k(4) = iparity(a)
  k(5:7) = iparity(a(:, :, 1), dim=1)
  k(8) = merge(1, 0, parity(l))
  k(9) = size(a, d) + lbound(a, d)
  s1 = cshift(x, -3, dim=d)
  s2 = cshift(a(:, :, 1), by, dim=d)
  s3 = eoshift(a(:, :, 2), by, dim=d, boundary=-7)
  s4 = eoshift(a(:, :, 2), by3, boundary=by3)
  v = eoshift([1, 2, 3, 4, 5, 6, 7], -d, boundary=99)
  cv = eoshift(ch, 1)
  pr = matmul(a(1:3, :, 1), x(1:3, :))
  lm = matmul(l(1:3, :), l(2:4, :))
  cs = [sum(c), product(c), dot_product(c, c(6:1:-1))]
  !$omp end target
  print *, 'dims', m1, m2, m3, c1, c2, l1, l2, f1, f2, e, k
  print *, 'dims', rx, ry, nint(rz*1000), q, q2, q3
  print *, 'dims', s1, s2, s3, s4, v, cv
  print *, 'dims', pr, lm, nint(real(cs)*1000), nint(aimag(cs)*1000)
end subroutine
