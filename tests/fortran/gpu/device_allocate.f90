! Description: allocate and deallocate
module device_allocate_code
contains
  subroutine work(n, s)
    !$omp declare target
    integer, intent(in) :: n
    integer, intent(inout) :: s(4)
    integer, allocatable :: t(:), u(:)
    integer, pointer :: p(:)
    allocate(t(n))
    t = 3
    u = t
    s(1) = sum(u)
    u = [u, 7]
    s(2) = size(u)
    s(3) = u(n + 1)
    deallocate(t)
    allocate(p(5))
    p = 2
    s(4) = sum(p)
    deallocate(p)
  end subroutine
end module

subroutine test_device_allocate
  use device_allocate_code
  implicit none
  integer :: n, i, s(4)
  n = 12
  s = 0
  !$omp target map(to: n) map(tofrom: s)
  call work(n, s)
  !$omp end target
  print *, 'device_allocate', s
end subroutine
