/* Clang 19 crashes because device code does not name the inline indirect function. */
#pragma omp begin declare target indirect
inline int f() {
  return 1;
}
#pragma omp end declare target
int main() {
  return f() - 1;
}
