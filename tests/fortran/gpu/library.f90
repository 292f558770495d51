! Description: library functions, limits
subroutine test_library
  implicit none
  integer :: i, n, s(12)
  real(8) :: a(3, 4), b(4, 2), c(3, 2), x(6)
  integer :: v(6), w(2, 3), o(3, 2), t(6), u(3, 2), p(7), e(0), g(21), j
  logical :: mask(3, 4)
  character(6) :: text
  character(3) :: word
  character(5) :: long(2)
  character(2) :: short(2)
  n = 2
  a = reshape([(1d0*mod(i*7, 11), i=1, 12)], [3, 4])
  b = reshape([(1d0*mod(i*5, 7), i=1, 8)], [4, 2])
  v = [3, 9, 1, 9, 4, 1]
  mask = a > 4
  text = 'abcabc'
  word = 'abc'
  long = 'zzzzz'
  short = ['ab', 'cd']
  x = [-2.5d0, -1.5d0, -0.5d0, 0.5d0, 1.5d0, 2.4d0]
  s = 0
  !$omp target map(to: a, b, v, mask, text, word, x, n, e, short) map(from: c, w, o, t, u, p, g) map(tofrom: s, long)
  c = matmul(a, b)
  w = reshape(v(1:n + 1), [n, 3], pad=[7, 8])
  o = reshape(v, [3, n], order=[n, 1])
  t = cshift(v, -n)
  u = spread(v(1:3), n, n)
  p = pack(v, v > 2, [11, 12, 13, 14, 15, 16, 17])
  s(1:4) = int(sum(a, 1, mask))
  s(5:5) = maxloc(v, back=n > 1)
  s(6) = maxval(e(1:n - 2))
  s(7) = merge(1, 0, word(1:n) // ' ' == word(1:n))
  s(8) = merge(1, 0, word(1:n) < text(1:n + n))
  s(9) = index(text, word(1:n), back=n > 1)
  do i = 1, 6
    s(10) = s(10) * 7 + nint(x(i))
  end do
  s(11) = merge(1, 0, word(1:n) == text(1:n) // ' ')
  long(1:n) = short(n:1:-1)
  g = [((10*i + j, j=1, i), i=1, n + 4)]
  call allocate_again(n, s(12))
  !$omp end target
  print *, 'library', c, w, o, t, u, p, g, s, long
contains
  subroutine allocate_again(n, fails)
    integer, intent(in) :: n
    integer, intent(out) :: fails
    real, allocatable :: a(:)
    integer :: code
    !$omp declare target
    allocate(a(n))
    allocate(a(n), stat=code)
    fails = merge(1, 0, code /= 0)
    deallocate(a)
  end subroutine
end subroutine
