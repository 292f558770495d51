/* The barriers of other runtimes, from their published designs, in our own code, on the same model.
 *
 * hyper: LLVM's libomp by default. A hypercube of branching factor 4: a thread waits for three threads per level, whose
 * numbers are its own plus 1, 2, 3 times 4^level, then tells the thread above; the way down is the same backwards. Each
 * thread has a line for "arrived" and one for "go"; both are changed by atomic additions. A region begins with
 * the way down and ends with the way up.
 * central: GNU's libgomp. All count down one word; the last one changes the generation, for which all wait. A
 * region begins at one such barrier, where the pool's threads wait, and ends with another.
 * A reduction: hyper combines in its gathering phase, where a thread reads what each thread below it points to, and lets
 * all go on; central adds to the shared variable atomically. A dynamic loop: central counts chunks in one word.
 * Target regions and leagues are regions of theirs: how they find out which teams are left is not modelled.
 * Tasks: libomp's design (peer_tasks.c), one thread makes as many as there are threads and waits, the others help.
 * What a region's work needs beyond that (pointers to code and data) is left out of both.
 */
#ifndef SOLO_COHERENCE_PEERS_H
#define SOLO_COHERENCE_PEERS_H

typedef struct peer {
  void (*barrier)(int number, int size);
  void (*fork)(int number, int size); /* the first thread begins a region, the others wait for it */
  void (*join)(int number, int size);
  void (*reduce)(int number, int size);
  void (*loop)(int size, int chunks); /* NULL: not modelled */
} peer;

extern const peer peer_hyper, peer_central;

/* Tasks of hyper: thread 0 makes size tasks and waits until they are done, with the others' help until the end of the round. */
void peer_tasks_make(int size);
void peer_tasks_help(int number, int size);
void peer_tasks_end(void);

#endif
