! Description: a derived type with a pointer component
subroutine test_pointer_member
  implicit none
  type list
  integer :: n
  integer, pointer :: v(:)
  end type
  type(list) :: l
  integer, target :: data(20)
  integer :: i
  data = [(i, i=1, 20)]
  l%n = 20
  l%v => data
  !$omp target map(tofrom: l, l%v)
  do i = 1, l%n
  l%v(i) = l%v(i)*3
  end do
  !$omp end target
  print *, 'pointer_member', sum(data), associated(l%v, data)
end subroutine
