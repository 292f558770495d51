/* Description: checks use_device_ptr of members: present, mapped by the construct, absent. No
 * mapping may remain. */
#include "check.h"
#include <omp.h>
#include <stdlib.h>

extern "C" int omp_target_is_present(const void *, int);

enum { N = 16 };

struct inner {
  int i;
  inner *next;
  int *p;
};

struct holder {
  int n;
  int *p;
  inner *t;
  int a[4];

  void check_absent(int line) {
    const void *all[] = {this, &p, &t, p, t, &t->p, t->p, &t->next, t->next, &t->next->p, a};
    for (int i = 0; i < 11; i++)
      if (omp_target_is_present(all[i], 0)) CHECK_INT(line * 100 + i, 0);
  }

  void run() {
    int *host = p, *seen = nullptr;
    inner *host_t = t;
#pragma omp target data map(tofrom : this [0:1]) map(tofrom : p [0:N])
    {
#pragma omp target data use_device_ptr(p)
      seen = p;
      CHECK_INT(seen == omp_get_mapped_ptr(host, 0), 1);
#pragma omp target data map(n) use_device_ptr(p)
      seen = p;
      CHECK_INT(seen == omp_get_mapped_ptr(host, 0), 1);
    }
    check_absent(__LINE__);
#pragma omp target data map(tofrom : p [0:N]) use_device_ptr(p)
    {
      seen = (int *)omp_get_mapped_ptr(host, 0);
      CHECK_INT(p == seen, 1);
    }
    check_absent(__LINE__);
#pragma omp target data use_device_ptr(p)
    seen = p;
    CHECK_INT(seen == host, 1); /* absent: unchanged */
    check_absent(__LINE__);
#pragma omp target enter data map(to : host [0:N])
#pragma omp target data use_device_ptr(p)
    seen = p;
    CHECK_INT(seen == omp_get_mapped_ptr(host, 0), 1);
#pragma omp target exit data map(delete : host [0:N])
    check_absent(__LINE__);
#pragma omp target data map(tofrom : t->p [0:4], n) use_device_ptr(p)
    {}
    check_absent(__LINE__);
#pragma omp target data map(tofrom : t->next->p [0:4]) use_device_ptr(t)
    {}
    check_absent(__LINE__);
#pragma omp target data map(tofrom : a, t->i) use_device_ptr(t, p)
    {}
    check_absent(__LINE__);
    CHECK_INT(p == host && t == host_t, 1);
  }
};

int main() {
  inner second = {2, nullptr, (int *)malloc(4 * sizeof(int))};
  inner first = {1, &second, (int *)malloc(4 * sizeof(int))};
  second.next = &first;
  holder h = {16, (int *)malloc(N * sizeof(int)), &first, {0}};
  h.run();
  return result();
}
