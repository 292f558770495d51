! Description: a common block that is mapped
subroutine test_common_block
  implicit none
  integer :: n, v(5), i
  common /shared_block/ n, v
  n = 3
  v = [1, 2, 3, 4, 5]
  !$omp target map(tofrom: n, v)
  n = n + 1
  do i = 1, 5
  v(i) = v(i)*n
  end do
  !$omp end target
  print *, 'common_block', n, v
end subroutine
