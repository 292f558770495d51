! Description: print
subroutine test_printing
  implicit none
  integer :: n
  real(8) :: x, small
  real :: y
  complex(8) :: z(2)
  logical :: flags(3)
  character(3) :: names(2)
  z = [(1.5d0, -2d0), (0.1d0, 3d0)]
  flags = [.true., .false., .true.]
  names = ['one', 'two']
  n = -42
  x = 0.1d0
  y = 1.5e-7
  small = 2d0**(-1017)
  !$omp target map(to: n,x,y,small,z,flags,names)
  print *, 'printing', n, x, y, .true., 1d0/3, 1e20, 2.5, 123456.789d0, 0.0
  print *, 'power', small, -2*small, tiny(x)
  print *, 'arrays', z, flags, z(1), cmplx(y, 2.0), [n, 2, 3]
  print *, names
  !$omp end target
end subroutine
