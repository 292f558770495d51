! Description: complex arithmetic
subroutine test_complex
  implicit none
  integer :: i
  complex(8) :: z(16), a, b
  !$omp target teams distribute parallel do map(from: z) private(a, b)
  do i = 1, 16
  a = cmplx(i, 2*i, 8)
  b = cmplx(1, -i, 8)
  z(i) = a*b + conjg(a) - b*2 + cmplx(aimag(b), real(a), 8)
  end do
  print *, 'complex', nint(real(sum(z))), nint(aimag(sum(z)))
end subroutine
