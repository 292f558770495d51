/* An image of constructors, whose kernel is no exported symbol: for GNU ld's empty hash table, with imports. */
#include <stdlib.h>
#include <string.h>

static char *text;

__attribute__((constructor)) static void begin(void) {
  text = malloc(16);
  if (text) strcpy(text, "begun");
  setenv("WAYS_NO_EXPORTS", text, 1);
}

__attribute__((destructor)) static void end(void) {
  free(text);
}
