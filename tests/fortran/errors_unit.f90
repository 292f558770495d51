! A function without declare target (errors.sh).
real function undeclared(x)
  real, intent(in) :: x
  undeclared = x + 1
end function
