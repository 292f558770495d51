! Description: intrinsics on integers and bits
subroutine test_integers
  implicit none
  integer :: i, a(30)
  integer(8) :: w(30)
  !$omp target teams distribute parallel do map(from: a, w)
  do i = 1, 30
  a(i) = ieor(ishft(i, 3), iand(i, 5)) + popcnt(i) + leadz(i) + trailz(i) + mod(-i, 7) + modulo(-i, 7) + &
    merge(1, 2, btest(i, 1)) + sign(3, i - 15) + ibits(i, 1, 3) + ishftc(i, 2, 8) + max(i, 9) + min(i, 20, 11) + &
    dim(i, 10) + i**3
  w(i) = shiftl(1_8, i) + not(int(i, 8))
  end do
  print *, 'integers', sum(a), sum(w)
end subroutine
