! Description: reductions of a scalar and, with -DARRAY, of an array
program heat
  real(8), allocatable :: u(:, :)
  real(8) :: most
  integer :: i, j, k(4)
  allocate(u(9, 9))
  u = 1
  k = 0
  most = 0
  !$omp target map(tofrom: u)
  u(2:3, 4) = [2d0, 3d0]
  !$omp end target
  !$omp target teams distribute parallel do collapse(2) reduction(max: most) map(tofrom: u, most)
  do j = 1, 9
    do i = 1, 9
      most = max(most, u(i, j))
    end do
  end do
#ifdef ARRAY
  !$omp target teams distribute parallel do reduction(+: k)
  do i = 1, 9
    k(1) = k(1) + i
  end do
#endif
end program
