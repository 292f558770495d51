/* The barriers of other runtimes in the model, written from their published designs.
 *
 * hyper (LLVM's libomp): a hypercube with branching factor 4. At each level, a thread waits for the
 * threads number + 1, 2, 3 times 4^level, then signals its parent; the release runs in reverse
 * order. A region is a release and a gather; a reduction combines values during the gather.
 *
 * central (GNU's libgomp): all threads count in one word; the last one changes the generation for
 * which the others wait. A region is two such barriers, a reduction an atomic addition, a dynamic
 * loop one counter of chunks.
 *
 * Not modelled: how threads obtain the teams of a league. */
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

/* Tasks of hyper: thread 0 creates `size` tasks and waits; the other threads help until
 * peer_tasks_end(). */
void peer_tasks_create(int size);
void peer_tasks_help(int number, int size);
void peer_tasks_end(void);

#endif
