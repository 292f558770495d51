! Description: overlapping array assignments and where
subroutine test_overlap
  implicit none
  type item
    integer :: n
    integer, allocatable :: u(:)
  end type
  integer :: i, a(10), b(10), c(10), m(3, 3), r(12)
  a = [(i, i=1, 10)]
  b = a
  c = a
  m = reshape(a, [3, 3])
  !$omp target map(tofrom: a, b, c, m, r)
  a(2:10) = a(1:9)
  b(1:9) = b(2:10)
  where (b > 5)
  b = -b
  elsewhere
  b = b + 100
  end where
  c(1:4) = c(1:7:2)
  m(:, 1) = m(1, :)
  call assign_items(r)
  !$omp end target
  print *, 'overlap', a, b
  print *, c, m, r
contains
  subroutine assign_items(r)
    integer, intent(out) :: r(12)
    type(item) :: t(4)
    type(item), allocatable :: g(:)
    integer :: i
    !$omp declare target
    do i = 1, 4
      t(i)%n = i
      allocate(t(i)%u(i))
      t(i)%u = 10*i
    end do
    t(2:4) = t(1:3)
    do i = 1, 4
      r(i) = size(t(i)%u) + t(i)%u(1)
    end do
    t(3)%u(1) = 7
    t = t(3)
    do i = 1, 4
      r(4 + i) = size(t(i)%u) + t(i)%u(1)
    end do
    allocate(g(3))
    do i = 1, 3
      allocate(g(i)%u(2))
      g(i)%u = i
    end do
    g = g(2:3)
    r(9:12) = [size(g), g(1)%u(1), g(2)%u(2), size(g(2)%u)]
  end subroutine
end subroutine
