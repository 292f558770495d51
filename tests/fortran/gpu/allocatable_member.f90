! Description: a derived type with an allocatable component
subroutine test_allocatable_member
  implicit none
  type grid
  integer :: n
  real(8), allocatable :: u(:)
  end type
  type(grid) :: g
  integer :: i
  g%n = 50
  allocate(g%u(50))
  g%u = 1
  !$omp target enter data map(to: g) map(to: g%u)
  !$omp target teams distribute parallel do
  do i = 1, 50
  g%u(i) = g%u(i) + i
  end do
  !$omp target exit data map(from: g%u) map(release: g)
  print *, 'allocatable_member', sum(g%u), g%n
end subroutine
