! Description: Jacobi iteration on present data. Dependent loops need a barrier.
program stencil
  implicit none
  integer, parameter :: n = 203, m = 150, steps = 12
  real :: u(n, m), v(n, m), hu(n, m), hv(n, m)
  integer :: i, j, t
  do j = 1, m
    do i = 1, n
      u(i, j) = real(mod(i*13 + j*7, 101))
    end do
  end do
  v = u
  hu = u
  hv = u
  do t = 1, steps
    do j = 2, m - 1
      do i = 2, n - 1
        hv(i, j) = 0.25*(hu(i - 1, j) + hu(i + 1, j) + hu(i, j - 1) + hu(i, j + 1))
      end do
    end do
    hu = hv
  end do

  !$omp target enter data map(to: u, v)
  do t = 1, steps/2
    !$omp target teams distribute parallel do collapse(2)
    do j = 2, m - 1
      do i = 2, n - 1
        v(i, j) = 0.25*(u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
      end do
    end do
    !$omp target teams distribute parallel do collapse(2)
    do j = 1, m
      do i = 1, n
        u(i, j) = v(i, j)
      end do
    end do
  end do
  !$omp target map(to: i)
  !$omp parallel private(t, i, j)
  do t = steps/2 + 1, steps
    !$omp do
    do j = 2, m - 1
      do i = 2, n - 1
        v(i, j) = 0.25*(u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
      end do
    end do
    !$omp end do
    !$omp do
    do j = 1, m
      do i = 1, n
        u(i, m + 1 - j) = v(i, m + 1 - j)
      end do
    end do
    !$omp end do
  end do
  !$omp end parallel
  !$omp end target
  if (any(u == hu .and. hu /= v)) error stop 'stencil: the host has results before they were fetched'
  !$omp target exit data map(from: u) map(delete: v)
  if (maxval(abs(u - hu)) > 1e-4) error stop 'stencil: wrong'
end program
