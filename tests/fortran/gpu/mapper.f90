! Description: a declared mapper
module mapper_types
  type box
    integer :: n
    integer, allocatable :: v(:)
  end type
  !$omp declare mapper(box :: x) map(x, x%v)
end module

subroutine test_mapper
  use mapper_types
  implicit none
  type(box) :: b
  integer :: i
  allocate(b%v(30))
  b%n = 30
  b%v = 1
  !$omp target map(tofrom: b)
  do i = 1, 30
  b%v(i) = b%v(i) + i*b%n
  end do
  !$omp end target
  print *, 'mapper', sum(b%v)
end subroutine
