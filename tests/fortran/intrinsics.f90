! Description: intrinsics, characters, allocation and output in device code.
program intrinsics
  implicit none
  integer, parameter :: n = 40
  real(8) :: a(n, n), b(n, n), c(n, n), want(n, n), norm, root
  integer :: i, j, k, v(100), w(100), picked
  character(12) :: name
  complex(8) :: z
  do j = 1, n
    do i = 1, n
      a(i, j) = i - j
      b(i, j) = mod(i*j, 7)
    end do
  end do
  want = matmul(a, transpose(b))
  !$omp target map(to: a, b) map(from: c)
  c = matmul(a, transpose(b))
  !$omp end target
  if (any(c /= want)) error stop 'matmul, transpose: wrong'
  v = [(mod(i*37, 101), i=1, 100)]
  !$omp target map(tofrom: v, w, k, norm) map(to: a)
  k = sum(v) + maxval(v)*1000 + count(v > 50)*100000 + minloc(v, 1)
  norm = sqrt(sum(a*a)) + dot_product(a(:, 1), a(:, 2))
  w = cshift(v, 3)
  where (v > 50) v = -v
  !$omp end target
  w = cshift(w, -3)
  if (k /= sum(w) + maxval(w)*1000 + count(w > 50)*100000 + minloc(w, 1)) error stop 'sum ...: wrong'
  if (abs(norm - sqrt(sum(a*a)) - dot_product(a(:, 1), a(:, 2))) > 1d-9) error stop 'norm: wrong'
  if (any(v /= merge(-w, w, w > 50))) error stop 'where, cshift: wrong'

  name = 'target'
  picked = 0
  z = (3d0, 4d0)
  root = 0
  !$omp target map(tofrom: name, picked, z, root)
  picked = 1
  block
    integer, allocatable :: local(:)
    allocate(local(10))
    local = 4
    picked = sum(local)
    deallocate(local)
  end block
  select case (picked)
  case (40)
    name = trim(name)//' region'
  case default
    name = 'wrong'
  end select
  root = abs(z) + sin(0d0) + exp(0d0)
  z = conjg(z)*2
  !$omp end target
  if (name /= 'target regio') error stop 'characters: wrong'
  if (root /= 6d0 .or. z /= (6d0, -8d0)) error stop 'complex, elementary functions: wrong'
end program
