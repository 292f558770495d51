! Description: a parallel region shares an automatic array of a block
! Not for checks: after LLVM's conversion to SPMD mode, unused reads follow the end of the block
subroutine test_block_arrays
  implicit none
  integer :: i, k, after, total
  total = 0
  !$omp target map(tofrom: after, total)
  after = 3
  do k = 1, 2
  block
  integer :: own(after * k)
  own = k
  !$omp parallel do
  do i = 1, after * k
  own(i) = own(i) + i
  end do
  total = total + sum(own)
  end block
  end do
  !$omp end target
  print *, 'block_arrays', after, total
end subroutine
