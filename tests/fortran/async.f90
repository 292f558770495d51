! Description: nowait with dependences, and concurrent regions of host threads.
program async
  use omp_lib
  implicit none
  integer, parameter :: n = 400, m = 8
  integer :: a(n), b(n), c(n), i, j, k, part(n, m), wrong
  do k = 1, 20
    a = 1
    b = 2
    c = 0
    !$omp parallel
    !$omp single
    !$omp target teams distribute parallel do nowait depend(out: a) map(tofrom: a)
    do i = 1, n
      a(i) = a(i) + i
    end do
    !$omp target teams distribute parallel do nowait depend(out: b) map(tofrom: b)
    do i = 1, n
      b(i) = b(i)*i
    end do
    !$omp target teams distribute parallel do nowait depend(in: a, b) depend(out: c) &
    !$omp& map(to: a, b) map(from: c)
    do i = 1, n
      c(i) = a(i) + b(i)
    end do
    !$omp taskwait
    do i = 1, n
      if (c(i) /= 1 + 3*i) error stop 'nowait with depend: wrong'
    end do
    !$omp end single
    !$omp end parallel
  end do
  part = 0
  wrong = 0
  !$omp parallel do private(i, k) reduction(+: wrong) num_threads(4)
  do j = 1, m
    do k = 1, 10
      !$omp target teams distribute parallel do map(tofrom: part(:, j)) num_teams(2)
      do i = 1, n
        part(i, j) = part(i, j) + j
      end do
    end do
    if (any(part(:, j) /= 10*j)) wrong = wrong + 1
  end do
  if (wrong /= 0) error stop 'regions of several threads: wrong'
end program
