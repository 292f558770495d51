! Description: characters
subroutine test_characters
  implicit none
  character(8) :: a, b
  integer :: s(7)
  a = ' solo'
  b = 'fortran'
  !$omp target map(tofrom: a, b, s)
  s(1) = len_trim(a)
  s(2) = index(b, 'r')
  s(3) = scan(b, 'nt')
  s(4) = verify(b, 'fo')
  s(5) = merge(1, 0, a < b)
  s(6) = iachar(b(2:2))
  b(1:1) = achar(70)
  a = trim(adjustl(a))//'/'//b(1:3)
  s(7) = len(a)
  !$omp end target
  print *, 'characters', a, b, s
end subroutine
