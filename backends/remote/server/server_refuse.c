#include "backends/remote/server/server.h"

#include <stdio.h>

void server_refuse(server_client *client, const solo_remote_channel *channel,
                   const solo_remote_head *message) {
  solo_remote_link *link = client->link;
  char what[SOLO_REMOTE_REFUSAL_BYTES];
  if (message)
    snprintf(what, sizeof what, "message %llu of channel %u (kind %u, %u bytes) is malformed",
             (unsigned long long)channel->count, channel->number, message->kind, message->bytes);
  else
    snprintf(what, sizeof what, "the ring of channel %u is malformed", channel->number);
  fprintf(stderr, "solo-server: %s: %s: the connection ends\n",
          link->title[0] ? link->title : "the program", what);
  solo_remote_record_refusal(link, what);
  client->transport->end(link);
}
