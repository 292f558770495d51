! Description: components of nested types
module nested_components_code
  type leaf
    integer, allocatable :: v(:)
    integer :: k
  end type
  type branch
    type(leaf) :: l
    integer :: z
  end type
  type tree
    type(branch) :: b
    type(leaf), allocatable :: more(:)
    integer :: last
  end type
end module

subroutine test_nested_components
  use nested_components_code
  implicit none
  type(tree) :: t
  allocate(t%b%l%v(5))
  t%b%l%v = 1
  t%b%l%k = 2
  t%b%z = 3
  t%last = 4
  !$omp target map(tofrom: t)
  t%b%l%v(2) = 99
  t%b%z = t%b%z + t%last
  !$omp end target
  print *, 'nested_components', t%b%l%v, t%b%l%k, t%b%z, t%last
end subroutine
