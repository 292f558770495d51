! Description: do concurrent in target regions, without reduce, which flang-22 does not copy back.
! Flags: -fdo-concurrent-to-openmp=device
program concurrent
  implicit none
  integer, parameter :: n = 3000, m = 40
  real(8) :: a(n), b(n), grid(m, m)
  integer :: i, j
  b = [(real(i, 8), i=1, n)]
  do concurrent(i=1:n)
    a(i) = 2*b(i) + 1
  end do
  do i = 1, n
    if (a(i) /= 2*i + 1) error stop 'do concurrent: wrong'
  end do
  do concurrent(j=1:m, i=1:m)
    grid(i, j) = i + 100*j
  end do
  do j = 1, m
    do i = 1, m
      if (grid(i, j) /= i + 100*j) error stop 'do concurrent of two: wrong'
    end do
  end do
end program
