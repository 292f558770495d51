! Description: target regions and tasks inside a host parallel region have separate teams.
module work
  use omp_lib
  implicit none
  integer, parameter :: n = 1200
  integer :: wanted = 0 ! expected threads; 0: any number
contains
  ! seen: values outside (1 to 5) and inside (6 to 8) of parallel regions
  subroutine levels(seen)
    integer, intent(inout) :: seen(9)
    integer :: threads, most, deep
    threads = 0
    most = 0
    deep = 0
    !$omp target map(tofrom: seen, threads, most, deep)
    seen(1) = omp_get_level()
    seen(2) = omp_get_thread_num()
    seen(3) = omp_get_num_threads()
    seen(4) = omp_get_num_teams()
    seen(5) = omp_get_team_num()
    !$omp parallel num_threads(3) reduction(+: threads) reduction(max: most, deep)
    threads = threads + 1
    most = max(most, omp_get_num_threads())
    deep = max(deep, omp_get_level())
    !$omp end parallel
    seen(6) = deep
    seen(7) = omp_get_level()
    deep = 0
    !$omp parallel if(.false.) reduction(max: deep)
    deep = 10*omp_get_level() + omp_get_num_threads()
    !$omp end parallel
    seen(8) = deep
    !$omp end target
    seen(9) = merge(1, 0, threads == most .and. threads > 0 .and. (wanted == 0 .or. threads == wanted))
  end subroutine

  subroutine barriers(a, b)
    integer, intent(inout) :: a(n), b(n)
    integer :: i
    !$omp target map(tofrom: a, b)
    !$omp parallel num_threads(2)
    !$omp do
    do i = 1, n
      a(i) = a(i) + i
    end do
    !$omp end do
    !$omp barrier
    !$omp do
    do i = 1, n
      b(i) = b(i) + a(n + 1 - i)
    end do
    !$omp end do
    !$omp end parallel
    !$omp end target
  end subroutine

  subroutine loops(a, teams)
    integer, intent(inout) :: a(n)
    integer, intent(in) :: teams
    integer :: i, j
    !$omp target teams distribute num_teams(teams) map(tofrom: a)
    do i = 1, 40
      !$omp parallel do
      do j = 1, 30
        a((i - 1)*30 + j) = a((i - 1)*30 + j) + i*j
      end do
    end do
    !$omp target teams distribute parallel do num_teams(teams) map(tofrom: a)
    do i = 1, n
      a(i) = a(i) + 1
    end do
  end subroutine

  subroutine sums(teams, total, least, product)
    integer, intent(in) :: teams
    integer, intent(out) :: total, least
    real(8), intent(out) :: product
    integer :: i
    total = 7
    least = huge(0)
    product = 1
    !$omp target teams distribute parallel do num_teams(teams) reduction(+: total) reduction(min: least) &
    !$omp& reduction(*: product) map(tofrom: total, least, product)
    do i = 1, n
      total = total + i
      least = min(least, abs(i - 777))
      if (mod(i, 100) == 0) product = product*2
    end do
    !$omp target teams num_teams(teams) reduction(+: total) map(tofrom: total)
    total = total + omp_get_team_num()
    !$omp end target teams
  end subroutine

  ! 0 on success
  integer function all_of(rounds) result(wrong)
    integer, intent(in) :: rounds
    integer :: seen(9), a(n), b(n), i, k, total, least, teams
    real(8) :: product
    wrong = 0
    do k = 1, rounds
      seen = -1
      call levels(seen)
      if (any(seen /= [0, 0, 1, 1, 0, 1, 0, 11, 1])) wrong = ior(wrong, 1)
      a = 0
      b = 0
      call barriers(a, b)
      if (any(a /= [(i, i=1, n)]) .or. any(b /= [(n + 1 - i, i=1, n)])) wrong = ior(wrong, 2)
      do teams = 1, 9, 4
        a = 0
        call loops(a, teams)
        do i = 1, n
          if (a(i) /= ((i - 1)/30 + 1)*(mod(i - 1, 30) + 1) + 1) wrong = ior(wrong, 4)
        end do
        call sums(teams, total, least, product)
        if (total /= 7 + n*(n + 1)/2 + teams*(teams - 1)/2) wrong = ior(wrong, 8)
        if (least /= 0 .or. product /= 2d0**12) wrong = ior(wrong, 16)
      end do
    end do
  end function
end module

program inside
  use work
  implicit none
  integer :: wrong, k, x(n), y(n), z(n), i
  wrong = all_of(1)
  call tell('of the initial thread')

  !$omp parallel num_threads(4) reduction(ior: wrong)
  wrong = ior(wrong, all_of(4 - omp_get_thread_num())) ! each thread another number of rounds: shared barriers would hang
  !$omp end parallel
  call tell('in a host team of four')

  call omp_set_max_active_levels(2)
  if (omp_get_max_threads() >= 4) wanted = 3
  !$omp parallel num_threads(2) reduction(ior: wrong)
  wrong = ior(wrong, all_of(2))
  !$omp end parallel
  call tell('with two active levels')
  call omp_set_max_active_levels(1)
  wanted = 0

  do k = 1, 20
    x = 0
    y = 0
    z = 0
    !$omp parallel num_threads(2)
    !$omp single
    !$omp target teams distribute parallel do num_teams(3) nowait depend(out: x) map(tofrom: x)
    do i = 1, n
      x(i) = x(i) + i
    end do
    !$omp target teams distribute parallel do nowait depend(out: y) map(tofrom: y)
    do i = 1, n
      y(i) = y(i) + 2*i
    end do
    !$omp target teams distribute parallel do nowait depend(in: x, y) depend(out: z) map(to: x, y) map(from: z)
    do i = 1, n
      z(i) = x(i) + y(i)
    end do
    !$omp taskwait
    !$omp end single
    !$omp end parallel
    if (any(z /= [(3*i, i=1, n)])) wrong = ior(wrong, 32)
  end do
  call tell('of target tasks')
contains
  subroutine tell(whose)
    character(*), intent(in) :: whose
    if (wrong == 0) return
    print *, 'regions ', whose, ': wrong', wrong
    error stop 'levels 1, barriers 2, loops 4, sums 8, others 16, tasks 32'
  end subroutine
end program
