! Description: assignment of a derived type with an allocatable component
module deep_copy_code
  type bag
    integer :: n
    integer, allocatable :: v(:)
  end type
contains
  subroutine work(s)
    !$omp declare target
    integer, intent(inout) :: s(3)
    type(bag) :: a, b
    a%n = 4
    allocate(a%v(4))
    a%v = 5
    b = a
    a%v(1) = 100
    s(1) = sum(b%v)
    s(2) = sum(a%v)
    s(3) = b%n
  end subroutine
end module

subroutine test_deep_copy
  use deep_copy_code
  implicit none
  integer :: s(3)
  s = 0
  !$omp target map(tofrom: s)
  call work(s)
  !$omp end target
  print *, 'deep_copy', s
end subroutine
