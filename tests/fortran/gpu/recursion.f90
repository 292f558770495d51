! Description: recursive and nested procedures
module recursion_code
contains
  recursive integer function fibonacci(n) result(f)
    !$omp declare target
    integer, intent(in) :: n
    if (n < 3) then
      f = 1
    else
      f = fibonacci(n - 1) + fibonacci(n - 2)
    end if
  end function
end module

subroutine test_recursion
  use recursion_code
  implicit none
  integer :: f(12), i
  !$omp target map(from: f)
  do i = 1, 12
  f(i) = fibonacci(i)
  end do
  !$omp end target
  print *, 'recursion', f
end subroutine
