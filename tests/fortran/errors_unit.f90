! A function of errors.sh's that no declare target names, compiled apart.
real function undeclared(x)
  real, intent(in) :: x
  undeclared = x + 1
end function
