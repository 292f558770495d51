! Description: default and named mappers for derived types, alone and in arrays.
! Flags: -fopenmp-version=52
module shapes
  implicit none
  type vector
    integer :: length
    real(8), allocatable :: values(:)
    integer :: untouched = 5
  end type
  !$omp declare mapper(vector :: v) map(v%length, v%values)
  !$omp declare mapper(lengths: vector :: v) map(v%length)
end module
program mappers
  use shapes
  implicit none
  type(vector) :: a
  integer :: i
  a%length = 50
  allocate(a%values(50))
  a%values = 1
  !$omp target map(tofrom: a)
  do i = 1, a%length
    a%values(i) = a%values(i) + i
  end do
  !$omp end target
  if (any(a%values /= [(1d0 + i, i=1, 50)])) error stop 'default mapper: wrong'
  !$omp target map(mapper(lengths), tofrom: a)
  a%length = a%length + 1
  !$omp end target
  if (a%length /= 51) error stop 'named mapper: wrong'
end program
