! Description: a common block with declare target
subroutine test_common_global
  implicit none
  integer :: n, v(5)
  common /device_block/ n, v
  !$omp declare target(/device_block/)
  n = 6
  v = 2
  !$omp target update to(n, v)
  !$omp target
  v = v + n
  !$omp end target
  !$omp target update from(v)
  print *, 'common_global', n, v
end subroutine
