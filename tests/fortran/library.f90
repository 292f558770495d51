! Description: device routines of omp_lib.
program library
  use omp_lib
  use iso_c_binding
  implicit none
  integer, parameter :: n = 100
  integer(c_int), target :: h(n), g(n)
  integer(c_size_t), parameter :: none = 0, bytes = 4*n
  type(c_ptr) :: d
  integer :: rc, dev, host, i, inside
  logical :: initial
  dev = omp_get_default_device()
  host = omp_get_initial_device()
  if (omp_get_num_devices() < 1) error stop 'no device'
  if (host /= omp_get_num_devices()) error stop 'omp_get_initial_device is not omp_get_num_devices'
  if (omp_get_device_num() /= host) error stop 'omp_get_device_num on the host: wrong'
  if (.not. omp_is_initial_device()) error stop 'the host is not the initial device'

  h = [(i, i=1, n)]
  g = 0
  d = omp_target_alloc(bytes, dev)
  if (.not. c_associated(d)) error stop 'no device memory'
  rc = omp_target_memcpy(d, c_loc(h), bytes, none, none, dev, host)
  if (rc /= 0) error stop 'memcpy to the device'
  rc = omp_target_memcpy(c_loc(g), d, bytes - 8, none, 8_c_size_t, host, dev)
  if (rc /= 0) error stop 'memcpy from the device'
  if (any(g(1:n - 2) /= h(3:n)) .or. any(g(n - 1:) /= 0)) error stop 'memcpy: wrong'

  ! the region uses the associated memory, without copies
  rc = omp_target_associate_ptr(c_loc(g), d, bytes, none, dev)
  if (rc /= 0) error stop 'associate_ptr'
  if (omp_target_is_present(c_loc(g), dev) == 0) error stop 'associated and not present'
  g = -1
  !$omp target teams distribute parallel do map(tofrom: g)
  do i = 1, n
    g(i) = g(i) + 1000
  end do
  if (any(g /= -1)) error stop 'associated memory was copied back'
  !$omp target update from(g)
  if (any(g /= h + 1000)) error stop 'associated memory: wrong'
  rc = omp_target_disassociate_ptr(c_loc(g), dev)
  if (rc /= 0 .or. omp_target_is_present(c_loc(g), dev) /= 0) error stop 'disassociate_ptr'
  call omp_target_free(d, dev)

  !$omp target enter data map(to: h)
  if (omp_target_is_present(c_loc(h), dev) == 0) error stop 'mapped and not present'
  !$omp target exit data map(release: h)
  if (omp_target_is_present(c_loc(h), dev) /= 0) error stop 'released and present'

  initial = .true.
  inside = -1
  !$omp target device(dev) map(tofrom: initial, inside)
  initial = omp_is_initial_device()
  inside = omp_get_device_num()
  !$omp end target
  if (initial) error stop 'inside a region: the initial device'
  if (inside /= dev) error stop 'inside a region: another device'

  i = 0
  !$omp target if(.false.) map(tofrom: initial)
  initial = omp_is_initial_device()
  !$omp end target
  if (.not. initial) error stop 'if(.false.): not on the host'
  !$omp target device(host) map(tofrom: inside)
  inside = omp_get_device_num()
  !$omp end target
  if (inside /= host) error stop 'device(host): not on the host'
end program
