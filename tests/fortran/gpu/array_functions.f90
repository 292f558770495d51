! Description: array expressions and reductions of arrays
subroutine test_array_functions
  implicit none
  integer :: i
  real(8) :: a(4, 4), b(4, 4), c(4, 4), v(4), s(8)
  integer :: at(2)
  a = reshape([(1d0*mod(i*7, 11), i=1, 16)], [4, 4])
  b = a + 1
  !$omp target map(to: a, b) map(from: c, v, s, at)
  c = matmul(a, b) + transpose(b)
  v = sum(a, dim=1)
  s(1) = sum(a)
  s(2) = product(v)
  s(3) = maxval(a)
  s(4) = minval(b)
  s(5) = dot_product(v, a(:, 2))
  s(6) = count(a > 4)
  s(7) = merge(1, 0, any(a > 9))
  s(8) = merge(1, 0, all(a > 0))
  at = maxloc(b)
  !$omp end target
  print *, 'array_functions', sum(c), v, s, at
end subroutine
