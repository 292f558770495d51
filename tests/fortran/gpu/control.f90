! Description: select case, do while, exit and cycle
subroutine test_control
  implicit none
  integer :: i, n, a(30)
  !$omp target teams distribute parallel do map(from: a) private(n)
  do i = 1, 30
  n = i
  a(i) = 0
  do while (n /= 1)
    if (a(i) > 100) exit
    a(i) = a(i) + 1
    select case (mod(n, 2))
    case (0)
      n = n/2
      cycle
    case default
      n = 3*n + 1
    end select
  end do
  end do
  print *, 'control', sum(a), maxval(a)
end subroutine
