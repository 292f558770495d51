! Description: reductions of several variables over teams and threads.
program reduction
  implicit none
  integer, parameter :: n = 54321
  integer :: x(n), largest, want_largest, i, smallest
  integer(8) :: total, want_total
  real(8) :: d(n), dot
  logical :: every
  want_total = 0
  want_largest = -huge(0)
  do i = 1, n
    x(i) = mod(i*31, 9973)
    d(i) = real(mod(i, 16), 8)
    want_total = want_total + x(i)
    want_largest = max(want_largest, x(i))
  end do

  total = 1000
  largest = -5
  !$omp target teams distribute parallel do reduction(+: total) reduction(max: largest) &
  !$omp& map(tofrom: total, largest)
  do i = 1, n
    total = total + x(i)
    largest = max(largest, x(i))
  end do
  if (total /= want_total + 1000) error stop 'sum: wrong'
  if (largest /= want_largest) error stop 'maximum: wrong'

  dot = 0.5d0
  every = .true.
  smallest = huge(0)
  !$omp target map(tofrom: dot, every, smallest)
  !$omp parallel do reduction(+: dot) reduction(.and.: every) reduction(min: smallest)
  do i = 1, n
    dot = dot + d(i)*d(i)
    every = every .and. x(i) >= 0
    smallest = min(smallest, x(i))
  end do
  !$omp end target
  if (dot /= sum(d*d) + 0.5d0) error stop 'dot product: wrong'
  if (.not. every) error stop 'and: wrong'
  if (smallest /= minval(x)) error stop 'minimum: wrong'
end program
