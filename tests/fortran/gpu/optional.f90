! Description: optional arguments, present and absent
subroutine test_optional
  implicit none
  integer :: v(5)
  v = 1
  call add(v, 4)
  call add(v)
  call add_array(v)
  call add_array(v, [1, 2, 3, 4, 5])
  print *, 'optional', v
contains
  subroutine add(a, by)
    integer, intent(inout) :: a(5)
    integer, intent(in), optional :: by
    integer :: step
    step = 1
    if (present(by)) step = by
    !$omp target map(tofrom: a)
    a = a + step
    !$omp end target
  end subroutine
  subroutine add_array(a, b)
    integer, intent(inout) :: a(5)
    integer, intent(in), optional :: b(:)
    logical :: has
    has = present(b)
    !$omp target map(tofrom: a) map(to: b)
    a = a + 10
    if (has) a = a + b
    !$omp end target
  end subroutine
end subroutine
