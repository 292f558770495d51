! Description: members of a derived type
subroutine test_members
  implicit none
  type state
  integer :: a, b
  real(8) :: v(4)
  end type
  type(state) :: s
  s = state(1, 2, [1d0, 2d0, 3d0, 4d0])
  !$omp target map(tofrom: s%b, s%v)
  s%b = s%b*21
  s%v = s%v + s%b
  !$omp end target
  print *, 'members', s%a, s%b, s%v
end subroutine
