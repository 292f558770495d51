! Description: a derived type without pointers
subroutine test_derived
  implicit none
  type point
  integer :: id
  real(8) :: x(3)
  end type
  type(point) :: p, q(4)
  integer :: i
  p = point(1, [1d0, 2d0, 3d0])
  do i = 1, 4
  q(i) = point(i, [1d0*i, 2d0*i, 3d0*i])
  end do
  !$omp target map(tofrom: p, q)
  p%id = p%id + 10
  p%x = p%x*2
  do i = 1, 4
  q(i)%x(2) = q(i)%x(2) + p%x(1)
  q(i)%id = -q(i)%id
  end do
  !$omp end target
  print *, 'derived', p%id, p%x, q%id, q(4)%x
end subroutine
