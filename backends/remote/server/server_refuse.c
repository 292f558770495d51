/* A program that cannot be understood, from whichever thread finds out. */
#include "backends/remote/server/server.h"

#include <stdio.h>

void server_refuse(server_client *client, const char *what) {
  fprintf(stderr, "solo-server: %s: the program's connection ends\n", what);
  client->transport->end(client->link);
}
