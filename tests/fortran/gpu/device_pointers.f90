! Description: use_device_ptr and is_device_ptr
subroutine test_device_pointers
  implicit none
  integer, target :: a(32)
  integer :: i
  a = 1
  !$omp target data map(tofrom: a)
  !$omp target data use_device_addr(a)
  call add(a, 32)
  !$omp end target data
  !$omp end target data
  print *, 'device_pointers', sum(a)
  contains
  subroutine add(v, n)
    integer, intent(in) :: n
    integer :: v(n)
    !$omp target has_device_addr(v)
    do i = 1, n
      v(i) = v(i) + i
    end do
    !$omp end target
  end subroutine
end subroutine
