/* A library that the process links and the images use. */
#ifdef __cplusplus
extern "C" {
#endif
extern int thing_array[8];
extern __thread int thing_tls;
int thing_add(int a, int b);
int thing_version(void);
int thing_only_hidden(void);
void thing_log(int word);
int thing_read_log(int *words, int most);
int thing_chosen(int x);
void thing_call(void (*f)(void *), void *context);
#ifdef __cplusplus
}
#endif
