! Description: all kinds of dummy arguments, and device functions.
module kernels
  implicit none
  interface twice
    procedure twice_int, twice_real
  end interface
contains
  pure integer function twice_int(x)
    !$omp declare target
    integer, intent(in) :: x
    twice_int = 2*x
  end function
  pure real function twice_real(x)
    !$omp declare target
    real, intent(in) :: x
    twice_real = 2*x
  end function
  elemental real(8) function poly(x, c0, c1)
    !$omp declare target
    real(8), intent(in) :: x, c0, c1
    poly = c0 + x*c1
  end function
  recursive integer function fib(n) result(r)
    !$omp declare target
    integer, intent(in) :: n
    if (n < 2) then
      r = n
    else
      r = fib(n - 1) + fib(n - 2)
    end if
  end function
  subroutine add_one(v, m)
    !$omp declare target
    integer, intent(in) :: m
    real(8), intent(inout) :: v(m)
    integer :: k
    do k = 1, m
      v(k) = v(k) + 1
    end do
  end subroutine

  subroutine shape_assumed(a)
    real(8), intent(inout), contiguous :: a(:, :)
    integer :: i, j
    !$omp target teams distribute parallel do collapse(2) map(tofrom: a)
    do j = 1, size(a, 2)
      do i = 1, size(a, 1)
        a(i, j) = poly(a(i, j), real(i, 8), real(j, 8))
      end do
    end do
  end subroutine
  subroutine shape_lower(a)
    real(8), intent(inout) :: a(-2:)
    integer :: i
    !$omp target teams distribute parallel do map(tofrom: a)
    do i = lbound(a, 1), ubound(a, 1)
      a(i) = a(i) + i
    end do
  end subroutine
  subroutine shape_explicit(a, n, m)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: a(n, m)
    integer :: j
    !$omp target teams distribute parallel do map(tofrom: a)
    do j = 1, m
      call add_one(a(:, j), n)
    end do
  end subroutine
  subroutine size_assumed(a, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(*)
    integer :: i
    !$omp target teams distribute parallel do map(tofrom: a(1:n))
    do i = 1, n
      a(i) = a(i)*2
    end do
  end subroutine
  subroutine maybe(a, scale, weight)
    real(8), intent(inout) :: a(:)
    real(8), intent(in), optional :: weight(:)
    integer, value :: scale
    integer :: i
    if (present(weight)) then
      !$omp target teams distribute parallel do map(tofrom: a) map(to: weight)
      do i = 1, size(a)
        a(i) = a(i)*scale + weight(i)
      end do
    else
      !$omp target teams distribute parallel do map(tofrom: a)
      do i = 1, size(a)
        a(i) = a(i)*scale
      end do
    end if
  end subroutine
end module

program dummies
  use kernels
  implicit none
  integer, parameter :: n = 60, m = 40
  real(8) :: a(n, m), v(100), w(100)
  real(8), pointer :: p(:)
  real(8), target :: t(100)
  integer :: i, j, f(15), k
  real :: r

  do j = 1, m
    do i = 1, n
      a(i, j) = i - j
    end do
  end do
  call shape_assumed(a)
  do j = 1, m
    do i = 1, n
      if (a(i, j) /= i + (i - j)*j) error stop 'assumed shape: wrong'
    end do
  end do
  a = 1
  call shape_assumed(a(1:n:2, 3:m:5)) ! strided
  do j = 1, m
    do i = 1, n
      if (mod(i, 2) == 1 .and. mod(j - 3, 5) == 0 .and. j >= 3) then
        if (a(i, j) /= (i + 1)/2 + (j - 3)/5 + 1) error stop 'strided dummy: wrong'
      else
        if (a(i, j) /= 1) error stop 'strided dummy: more than its elements'
      end if
    end do
  end do
  v = 0
  call shape_lower(v)
  if (any(v /= [(real(i - 3, 8), i=1, 100)])) error stop 'lower bound: wrong'
  a = 5
  call shape_explicit(a, n, m)
  if (any(a /= 6)) error stop 'explicit shape: wrong'
  call size_assumed(v(11:), 50)
  do i = 1, 100
    if (v(i) /= merge(2, 1, i > 10 .and. i <= 60)*(i - 3)) error stop 'assumed size: wrong'
  end do
  v = 2
  w = 3
  call maybe(v, 5)
  if (any(v /= 10)) error stop 'optional, absent: wrong'
  call maybe(v, 2, w)
  if (any(v /= 23)) error stop 'optional, present: wrong'

  t = 1
  p => t(10:90)
  !$omp target teams distribute parallel do map(tofrom: p)
  do i = 1, size(p)
    p(i) = p(i) + i
  end do
  do i = 1, 100
    if (t(i) /= merge(i - 8, 1, i >= 10 .and. i <= 90)) error stop 'pointer: wrong'
  end do

  k = 0
  r = 0
  !$omp target map(tofrom: k, r)
  k = twice(21)
  r = twice(1.5)
  !$omp end target
  if (k /= 42 .or. r /= 3.0) error stop 'generic functions: wrong'
  !$omp target teams distribute parallel do map(from: f)
  do i = 1, 15
    f(i) = fib(i)
  end do
  do i = 1, 15
    if (f(i) /= fib(i)) error stop 'recursive function: wrong'
  end do
  call inner(10)
contains
  subroutine inner(add)
    integer, intent(in) :: add
    integer :: c
    v = 0
    !$omp target teams distribute parallel do map(tofrom: v) map(to: add)
    do c = 1, 100
      v(c) = v(c) + add*c
    end do
    if (any(v /= [(real(10*c, 8), c=1, 100)])) error stop 'internal procedure: wrong'
  end subroutine
end program
