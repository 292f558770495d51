! Description: ALLOCATE with SOURCE, MOVE_ALLOC, CLASS IS
module allocate_source_code
  implicit none
  type bag
    integer :: k = 3
    integer, allocatable :: v(:)
  end type
  type, extends(bag) :: box
    integer :: z = 4
  end type
  type, extends(box) :: parcel
    integer :: w(3) = 5
  end type
contains
  integer function kind_of(x)
    class(*), intent(in) :: x
    !$omp declare target
    kind_of = 0
    select type (x)
    type is (integer)
      kind_of = x
    class is (box)
      kind_of = 100 + x%z
    class is (bag)
      kind_of = 1000 + x%k
    end select
  end function
  subroutine work(r, n, src)
    integer, intent(inout) :: r(:)
    integer, intent(in) :: n, src(:)
    integer, allocatable :: a(:), b(:), c(:), d(:)
    integer, pointer :: p(:), q(:)
    integer, target :: t(8)
    type(bag), allocatable :: x(:), y(:)
    type(bag) :: z
    type(box) :: o
    type(parcel) :: w
    integer :: code
    !$omp declare target
    allocate(a(n), source=5)
    allocate(b, source=src)
    r(1:4) = [sum(a), sum(b), size(b), lbound(b, 1)]
    allocate(p(n), source=4)
    allocate(c, mold=src)
    r(5:6) = [sum(p), size(c)]
    call move_alloc(b, d)
    r(7:8) = [merge(1, 0, allocated(b)), d(n)]
    q => p
    r(9) = merge(1, 0, associated(p, q))
    q => t(1:n)
    r(10:11) = [merge(1, 0, associated(p, q)), merge(1, 0, is_contiguous(q))]
    q => t(1:8:2)
    r(12) = merge(1, 0, is_contiguous(q))
    z%k = 9
    allocate(z%v(2))
    z%v = 4
    allocate(x(2), source=z)
    allocate(y, source=x)
    y(2)%v(1) = 100
    r(13:16) = [x(2)%k, sum(x(2)%v), y(2)%v(1), y(1)%v(1)]
    allocate(a(3), source=1, stat=code)
    r(17) = merge(1, 0, code /= 0)
    r(18:21) = [kind_of(n), kind_of(z), kind_of(o), kind_of(w)]
    r(22) = kind_of(2.0)
    deallocate(p)
  end subroutine
end module

subroutine test_allocate_source
  use allocate_source_code
  implicit none
  integer :: r(22), n, src(6)
  n = 6
  src = [1, 2, 3, 4, 5, 6]
  r = 0
  !$omp target map(tofrom: r) map(to: n, src)
  call work(r, n, src)
  !$omp end target
  print *, 'allocate_source', r
end subroutine
