! Does not link (errors.sh).
program errors_call
  implicit none
  real :: r
  interface
    real function undeclared(x)
      real, intent(in) :: x
    end function
  end interface
  r = 1
  !$omp target map(tofrom: r)
  r = undeclared(r)
  !$omp end target
  print *, r
end program
