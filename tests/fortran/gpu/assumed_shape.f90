! Description: assumed-shape dummy arguments, also of sections
subroutine test_assumed_shape
  implicit none
  integer :: m(6, 8), i, j
  m = 1
  call fill(m(2:5, 3:6))
  call fill(m)
  print *, 'assumed_shape', sum(m), m(2, 3), m(6, 8)
  contains
  subroutine fill(a)
    integer, contiguous, intent(inout) :: a(:, :)
    !$omp target teams distribute parallel do collapse(2) map(tofrom: a)
    do j = 1, size(a, 2)
      do i = 1, size(a, 1)
        a(i, j) = a(i, j) + i + 10*j
      end do
    end do
  end subroutine
end subroutine
