!mod$ v1 sum:4f3a9c1c90ac16ca
module m
contains
subroutine s(x)
integer(4),optional::x
end
end
