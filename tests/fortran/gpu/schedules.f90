! Description: schedules with chunks, and dynamic, guided and runtime
subroutine test_schedules
  implicit none
  integer :: i, a(100), b(100), c(100)
  a = 0
  b = 0
  c = 0
  !$omp target parallel do schedule(static, 3) map(tofrom: a)
  do i = 1, 100
  a(i) = a(i) + i
  end do
  !$omp target parallel do schedule(dynamic, 4) map(tofrom: b)
  do i = 1, 100
  b(i) = b(i) + 2*i
  end do
  !$omp target parallel do schedule(guided) map(tofrom: c)
  do i = 1, 100
  c(i) = c(i) + 3*i
  end do
  print *, 'schedules', sum(a), sum(b), sum(c)
end subroutine
