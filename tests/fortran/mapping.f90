! Description: maps of declare target variables, allocatables, derived types and sections.
module state
  implicit none
  integer, parameter :: n = 500
  real(8) :: field(n), other(-3:n)
  integer :: factor = 3
  real, allocatable :: late(:, :)
  !$omp declare target(field, other, factor)
  type point
    real(8) :: x, y
    integer :: tag
  end type
  type cloud
    integer :: count = 0
    real(8) :: fixed(10) = 0
    real(8), allocatable :: values(:)
    type(point), allocatable :: points(:)
    real(8), pointer :: shared(:) => null()
    type(point) :: centre
  end type
contains
  subroutine scale_field()
    integer :: i
    !$omp target teams distribute parallel do
    do i = 1, n
      field(i) = field(i)*factor + other(i - 4)
    end do
  end subroutine
end module

program mapping
  use state
  use omp_lib
  implicit none
  integer :: i, j
  real(8), allocatable :: a(:), b(:, :), c(:)
  real(8), target :: base(n)
  type(cloud) :: s
  type(point) :: p(20)

  do i = 1, n
    field(i) = i
  end do
  do i = -3, n
    other(i) = 1000*i
  end do
  !$omp target update to(field, other, factor)
  field = -1
  call scale_field()
  if (any(field /= -1)) error stop 'declare target: the host has the results before the update'
  !$omp target update from(field)
  do i = 1, n
    if (field(i) /= 3*i + 1000*(i - 4)) error stop 'declare target: wrong'
  end do
  factor = 5
  !$omp target update to(factor)
  i = 0
  !$omp target map(from: i)
  i = factor
  !$omp end target
  if (i /= 5) error stop 'declare target scalar: wrong'

  allocate(a(-10:n), b(0:9, 5:24), c(n))
  a = 1
  b = 2
  c = -3
  !$omp target enter data map(to: a, b) map(alloc: c)
  !$omp target teams distribute parallel do
  do i = 1, n
    c(i) = a(i) + i
  end do
  !$omp target teams distribute parallel do collapse(2)
  do j = 5, 24
    do i = 0, 9
      b(i, j) = b(i, j)*(i + 100*j)
    end do
  end do
  if (any(b /= 2) .or. any(c /= -3)) error stop 'enter data: results on the host too early'
  !$omp target update from(b(:, 5:10), c(11:20))
  do j = 5, 24
    do i = 0, 9
      if (j <= 10 .and. b(i, j) /= 2*(i + 100*j)) error stop 'update of a section: not there'
      if (j > 10 .and. b(i, j) /= 2) error stop 'update of a section: too much'
    end do
  end do
  do i = 1, n
    if ((i >= 11 .and. i <= 20) .neqv. (c(i) == 1 + i)) error stop 'update of c(11:20)'
  end do
  a = 7
  !$omp target update to(a(100:200))
  !$omp target teams distribute parallel do
  do i = 1, n
    c(i) = a(i)
  end do
  !$omp target exit data map(from: b, c) map(delete: a)
  do i = 1, n
    if (c(i) /= merge(7, 1, i >= 100 .and. i <= 200)) error stop 'update to a(100:200)'
  end do
  do j = 5, 24
    do i = 0, 9
      if (b(i, j) /= 2*(i + 100*j)) error stop 'exit data: b'
    end do
  end do

  base = 1
  !$omp target map(tofrom: base(51:100))
  do i = 51, 100
    base(i) = base(i) + i
  end do
  !$omp end target
  do i = 1, n
    if (base(i) /= merge(1 + i, 1, i > 50 .and. i <= 100)) error stop 'section: wrong'
  end do

  a = 0
  !$omp target data map(tofrom: a)
  do j = 1, 10
    !$omp target teams distribute parallel do
    do i = 1, n
      a(i) = a(i) + j*i
    end do
  end do
  if (a(1) /= 0) error stop 'target data: results on the host too early'
  !$omp end target data
  do i = 1, n
    if (a(i) /= 55*i) error stop 'target data: wrong'
  end do

  do i = 1, 20
    p(i) = point(i, 2*i, 0)
  end do
  !$omp target teams distribute parallel do map(tofrom: p)
  do i = 1, 20
    p(i)%tag = int(p(i)%x + p(i)%y)
    p(i)%x = -p(i)%x
  end do
  do i = 1, 20
    if (p(i)%tag /= 3*i .or. p(i)%x /= -i .or. p(i)%y /= 2*i) error stop 'derived types: wrong'
  end do

  allocate(s%values(n), s%points(20))
  s%shared => base(101:200)
  base = 4
  s%count = n
  s%values = 2
  s%points = p
  s%centre = point(1, 2, 3)
  !$omp target map(tofrom: s, s%values, s%points, s%shared)
  do i = 1, s%count
    s%values(i) = s%values(i) + i
  end do
  do i = 1, 20
    s%points(i)%y = s%points(i)%x
  end do
  do i = 1, 100
    s%shared(i) = s%shared(i) + i
  end do
  s%fixed(3) = 33
  s%centre%tag = s%centre%tag + 1
  !$omp end target
  do i = 1, n
    if (s%values(i) /= 2 + i) error stop 'allocatable component: wrong'
    if (base(i) /= merge(4 + i - 100, 4, i > 100 .and. i <= 200)) error stop 'pointer component'
  end do
  do i = 1, 20
    if (s%points(i)%y /= -i) error stop 'component of derived types: wrong'
  end do
  if (s%fixed(3) /= 33 .or. s%fixed(4) /= 0) error stop 'array component: wrong'
  if (s%centre%tag /= 4 .or. s%count /= n) error stop 'nested component: wrong'

  s%values = 1
  !$omp target map(tofrom: s%values)
  do i = 1, n
    s%values(i) = s%values(i)*i
  end do
  !$omp end target
  if (any(s%values /= [(real(i, 8), i=1, n)])) error stop 'one component alone: wrong'

  call check_state_changes()

  ! allocated before the map
  allocate(late(10, 20))
  late = 1
  !$omp target teams distribute parallel do collapse(2) map(tofrom: late)
  do j = 1, 20
    do i = 1, 10
      late(i, j) = late(i, j) + 10*j + i
    end do
  end do
  do j = 1, 20
    do i = 1, 10
      if (late(i, j) /= 1 + 10*j + i) error stop 'module allocatable: wrong'
    end do
  end do
contains
  ! a region must observe that a mapped variable was nullified or deallocated
  subroutine check_state_changes()
    real(8), pointer :: q(:), keep(:)
    real(8), allocatable :: d(:)
    integer :: bad
    bad = 0
    allocate(q(7), d(6), s%shared(5))
    q = 1
    d = 2
    keep => q
    !$omp target enter data map(to: q)
    nullify(q)
    !$omp target map(tofrom: bad)
    if (associated(q)) bad = bad + 1
    !$omp end target
    q => keep
    !$omp target map(tofrom: q)
    q = q + 1
    !$omp end target
    !$omp target exit data map(from: q)
    if (any(q /= 2)) bad = bad + 10
    deallocate(q)
    !$omp target data map(to: d)
    deallocate(d)
    !$omp target map(tofrom: bad)
    if (allocated(d)) bad = bad + 100
    !$omp end target
    !$omp end target data
    keep => s%shared
    !$omp target data map(to: s, s%shared)
    nullify(s%shared)
    !$omp target map(to: s%shared) map(tofrom: bad)
    if (associated(s%shared)) bad = bad + 1000
    !$omp end target
    !$omp end target data
    deallocate(keep)
    if (bad /= 0) then
      print *, bad
      error stop 'the region does not observe nullify or deallocate'
    end if
  end subroutine
end program
