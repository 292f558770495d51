! Description: the if and device clauses
subroutine test_if_clause
  implicit none
  integer :: n
  logical, external :: omp_is_initial_device
  logical :: on_host, off_host
  n = 3
  !$omp target if(n > 5) map(from: on_host)
  on_host = omp_is_initial_device()
  !$omp end target
  !$omp target if(n > 1) device(0) map(from: off_host)
  off_host = omp_is_initial_device()
  !$omp end target
  print *, 'if_clause', on_host, off_host
end subroutine
