! Description: target enter data, update and exit data
subroutine test_update
  implicit none
  integer :: i, a(40)
  a = 1
  !$omp target enter data map(to: a)
  !$omp target teams distribute parallel do
  do i = 1, 40
  a(i) = a(i) + i
  end do
  print *, 'update', sum(a)
  !$omp target update from(a(1:20))
  print *, 'update', sum(a(1:20)), sum(a(21:40))
  a = 5
  !$omp target update to(a)
  !$omp target
  a(1) = a(40)*2
  !$omp end target
  !$omp target exit data map(from: a)
  print *, 'update', a(1), sum(a)
end subroutine
