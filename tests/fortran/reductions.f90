! Description: all reduction operators, over teams and in a parallel region.
program reductions
  implicit none
  integer, parameter :: n = 1000
  integer :: i, total, prod, low, high, all_bits, any_bits, odd_bits, x(n)
  integer(8) :: wide, wide_want
  integer(2) :: short
  real :: single_sum, single_high
  real(8) :: double_sum, double_low
  complex(8) :: z, z_want
  logical :: every, some, even_trues, odd_trues, odd_want
  do i = 1, n
    x(i) = mod(i*7919, 1021)
  end do

  total = 7
  prod = 3
  low = huge(0)
  high = -huge(0)
  !$omp target teams distribute parallel do reduction(+: total) reduction(*: prod) &
  !$omp& reduction(min: low) reduction(max: high) map(tofrom: total, prod, low, high)
  do i = 1, n
    total = total + x(i)
    prod = prod*merge(2, 1, mod(i, 100) == 0)
    low = min(low, x(i))
    high = max(high, x(i))
  end do
  if (total /= 7 + sum(x)) error stop 'integer sum'
  if (prod /= 3*1024) error stop 'integer product'
  if (low /= minval(x) .or. high /= maxval(x)) error stop 'integer extremes'

  all_bits = not(0)
  any_bits = 0
  odd_bits = 0
  !$omp target teams distribute parallel do reduction(iand: all_bits) reduction(ior: any_bits) &
  !$omp& reduction(ieor: odd_bits) map(tofrom: all_bits, any_bits, odd_bits) num_teams(3)
  do i = 1, n
    all_bits = iand(all_bits, ior(x(i), 5))
    any_bits = ior(any_bits, x(i))
    odd_bits = ieor(odd_bits, x(i))
  end do
  if (all_bits /= iall(ior(x, 5))) error stop 'iand'
  if (any_bits /= iany(x)) error stop 'ior'
  if (odd_bits /= iparity(x)) error stop 'ieor'

  every = .true.
  some = .false.
  even_trues = .true.
  odd_trues = .false.
  !$omp target map(tofrom: every, some, even_trues, odd_trues)
  !$omp parallel do reduction(.and.: every) reduction(.or.: some) reduction(.eqv.: even_trues) &
  !$omp& reduction(.neqv.: odd_trues)
  do i = 1, n
    every = every .and. x(i) < 1000
    some = some .or. x(i) == 77
    even_trues = even_trues .eqv. x(i) > 500
    odd_trues = odd_trues .neqv. x(i) > 300
  end do
  !$omp end target
  odd_want = .false.
  do i = 1, n
    odd_want = odd_want .neqv. x(i) > 300
  end do
  if (every .neqv. all(x < 1000)) error stop '.and.'
  if (some .neqv. any(x == 77)) error stop '.or.'
  if (odd_trues .neqv. odd_want) error stop '.neqv.'
  odd_want = .true.
  do i = 1, n
    odd_want = odd_want .eqv. x(i) > 500
  end do
  if (even_trues .neqv. odd_want) error stop '.eqv.'

  wide = 1
  short = 0
  single_sum = 0
  single_high = -1
  double_sum = 0.25d0
  double_low = 1d300
  !$omp target teams distribute parallel do reduction(+: wide, short, single_sum, double_sum) &
  !$omp& reduction(max: single_high) reduction(min: double_low) &
  !$omp& map(tofrom: wide, short, single_sum, single_high, double_sum, double_low)
  do i = 1, n
    wide = wide + int(x(i), 8)*1000000007_8
    short = short + int(mod(i, 7), 2)
    single_sum = single_sum + real(mod(i, 8))
    single_high = max(single_high, real(x(i)))
    double_sum = double_sum + 0.5d0*x(i)
    double_low = min(double_low, 1d0/(1 + x(i)))
  end do
  wide_want = 1 + sum(int(x, 8))*1000000007_8
  if (wide /= wide_want) error stop '8-byte sum'
  if (short /= sum([(mod(i, 7), i=1, n)])) error stop '2-byte sum'
  if (single_sum /= sum([(real(mod(i, 8)), i=1, n)])) error stop 'real sum'
  if (single_high /= real(maxval(x))) error stop 'real maximum'
  if (double_sum /= 0.25d0 + 0.5d0*sum(x)) error stop 'double sum'
  if (double_low /= 1d0/(1 + maxval(x))) error stop 'double minimum'

  z = (1d0, 2d0)
  !$omp target parallel do reduction(+: z) map(tofrom: z)
  do i = 1, n
    z = z + cmplx(x(i), -i, 8)
  end do
  z_want = cmplx(1 + sum(x), 2 - n*(n + 1)/2, 8)
  if (z /= z_want) error stop 'complex sum'
end program
