/* An image with constructors and imports, but without exports (GNU ld writes an empty hash table). */
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
