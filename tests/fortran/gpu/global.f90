! Description: a module variable with declare target
module global_data
  integer :: scale = 1, table(10)
  !$omp declare target(scale, table)
end module

subroutine test_global
  use global_data
  implicit none
  integer :: i, a(10)
  scale = 4
  table = [(i*i, i=1, 10)]
  !$omp target update to(scale, table)
  !$omp target map(from: a)
  a = table*scale
  table(3) = -5
  !$omp end target
  !$omp target update from(table)
  print *, 'global', a, table(3)
end subroutine
