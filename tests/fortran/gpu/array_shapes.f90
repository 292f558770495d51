! Description: reshape, cshift, spread, pack and unpack
subroutine test_array_shapes
  implicit none
  integer :: i, a(6), b(2, 3), c(6), p(6), u(6), q(6, 2)
  logical :: m(6)
  a = [(i, i=1, 6)]
  m = mod(a, 2) == 0
  !$omp target map(to: a, m) map(from: b, c, p, u, q)
  b = reshape(a, [2, 3])
  c = cshift(a, 2)
  p = 0
  p(1:3) = pack(a, m)
  u = unpack(p(1:3), m, c)
  q = spread(a, 2, 2)
  !$omp end target
  print *, 'array_shapes', b, c, p, u, sum(q)
end subroutine
