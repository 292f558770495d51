! Description: map types alloc, release and delete, and the modifier always
subroutine test_map_types
  implicit none
  integer :: a(10), b(10)
  a = 1
  b = 2
  !$omp target enter data map(alloc: a) map(to: b)
  !$omp target map(always, tofrom: a)
  a = a + b
  !$omp end target
  print *, 'map_types', sum(a)
  !$omp target exit data map(delete: a) map(release: b)
  print *, 'map_types', sum(b)
end subroutine
