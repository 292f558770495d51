! Description: pointers to arrays
subroutine test_pointers
  implicit none
  integer, pointer :: p(:)
  integer :: i
  allocate(p(25))
  p = 4
  !$omp target teams distribute parallel do map(tofrom: p)
  do i = 1, 25
  p(i) = p(i) + i
  end do
  print *, 'pointers', sum(p)
  deallocate(p)
end subroutine
