! Description: privatization, collapse, steps, types of loop variables, nested regions.
program privates
  use omp_lib
  implicit none
  integer, parameter :: n = 1000
  integer :: a(n), w(16), t(16), i, j, k, last, c(5, 6, 7), outer, inner, d(-20:20)
  integer(8) :: l
  integer(2) :: s
  real(8) :: scale, x(n)

  a = 0
  w = [(i, i=1, 16)]
  scale = 0.5d0
  !$omp target teams map(tofrom: a) map(to: w) num_teams(2)
  !$omp distribute parallel do firstprivate(w) private(t)
  do i = 1, n
    t = i
    t(5) = w(3) + i
    w(3) = -1
    a(i) = t(5) + t(16)
    w(3) = 3
  end do
  !$omp end target teams
  do i = 1, n
    if (a(i) /= 2*i + 3) error stop 'private arrays: wrong'
  end do
  if (any(w /= [(i, i=1, 16)])) error stop 'firstprivate: the host has changed'

  x = 1
  !$omp target teams distribute parallel do private(k) map(tofrom: x)
  do i = 1, n
    k = 2*i
    x(i) = x(i)*scale + k ! scale: firstprivate by default
  end do
  do i = 1, n
    if (x(i) /= 0.5d0 + 2*i) error stop 'scalars: wrong'
  end do

  last = -1
  !$omp target parallel do lastprivate(last) map(tofrom: last)
  do i = 1, 100
    last = i*2
  end do
  if (last /= 200) error stop 'lastprivate: wrong'

  c = 0
  !$omp target teams distribute parallel do collapse(3) num_teams(2)
  do i = 1, 7
    do j = 6, 1, -1
      do k = 1, 5, 2
        c(k, j, i) = c(k, j, i) + k + 10*j + 100*i
      end do
    end do
  end do
  do i = 1, 7
    do j = 1, 6
      do k = 1, 5
        if (c(k, j, i) /= merge(k + 10*j + 100*i, 0, mod(k, 2) == 1)) error stop 'collapse(3): wrong'
      end do
    end do
  end do

  d = 0
  !$omp target teams distribute parallel do
  do i = 20, -20, -4
    d(i) = d(i) + i + 100
  end do
  do i = -20, 20
    if (d(i) /= merge(i + 100, 0, mod(i, 4) == 0)) error stop 'step -4: wrong'
  end do
  !$omp target teams distribute parallel do
  do i = 5, 4 ! no iteration
    d(i) = 12345
  end do
  if (any(d == 12345)) error stop 'an empty loop runs'

  a = 0
  !$omp target teams distribute parallel do schedule(static, 7) num_teams(3)
  do l = 1_8, int(n, 8)
    a(l) = a(l) + int(l)
  end do
  !$omp target parallel do schedule(dynamic, 9)
  do s = 1_2, 900_2
    a(s) = a(s) + 1
  end do
  !$omp target parallel do schedule(guided)
  do i = 1, n
    a(i) = a(i) + 10
  end do
  do i = 1, n
    if (a(i) /= i + 10 + merge(1, 0, i <= 900)) error stop 'schedules: wrong'
  end do

  a = 0
  outer = 0
  inner = 0
  !$omp target map(tofrom: a, outer, inner)
  !$omp parallel num_threads(2)
  !$omp atomic
  outer = outer + 1
  !$omp parallel num_threads(3)
  !$omp atomic
  inner = inner + 1
  !$omp do
  do i = 1, n
    !$omp atomic
    a(i) = a(i) + 1
  end do
  !$omp end parallel
  !$omp end parallel
  !$omp end target
  if (outer < 1 .or. outer > 2 .or. inner < outer .or. inner > 6) error stop 'nested: threads'
  if (any(a /= outer)) error stop 'nested: a loop is not shared by the inner team'
end program
