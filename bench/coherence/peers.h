/* The barriers of other runtimes in the model, written from their published designs.
 *
 * hyper (LLVM's libomp): a hypercube with branching factor 4. At each level, a thread waits for
 * three threads, number + 1, 2, 3 times 4^level, then signals its parent. The release phase runs in
 * reverse order. Each thread has a line for "arrived" and one for "go". A region is a release and a
 * gather; a reduction combines values during the gather. Tasks: peer_tasks.c. central (GNU's
 * libgomp): all threads count in one word, and the last changes the generation on which the others
 * wait. A region is two such barriers. A reduction is an atomic addition; a dynamic loop counts
 * chunks in one word. Not modelled: how target regions and leagues find remaining teams, and
 * pointers to a region's code and data. */
#ifndef SOLO_COHERENCE_PEERS_H
#define SOLO_COHERENCE_PEERS_H

typedef struct peer {
  void (*barrier)(int number, int size);
  void (*fork)(int number, int size); /* thread 0 starts a region */
  void (*join)(int number, int size);
  void (*reduce)(int number, int size);
  void (*loop)(int size, int chunks); /* NULL: not modelled */
} peer;

extern const peer peer_hyper, peer_central;

/* Tasks of hyper: thread 0 creates size tasks and waits; the others help until peer_tasks_end(). */
void peer_tasks_make(int size);
void peer_tasks_help(int number, int size);
void peer_tasks_end(void);

#endif
