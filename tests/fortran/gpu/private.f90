! Description: private scalars and arrays
subroutine test_private
  implicit none
  integer :: i, t, w(3), a(60)
  t = -1
  w = -1
  !$omp target teams distribute parallel do private(t, w) map(from: a)
  do i = 1, 60
  t = i*i
  w = [i, 2*i, 3*i]
  a(i) = t + sum(w)
  end do
  print *, 'private', sum(a), t, w
end subroutine
