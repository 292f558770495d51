/* Whether the program is at exit, from the first load of an image on. Functions that were given to atexit
 * before that load, among them those that unregister the program's own images, are called later.
 *
 * Threads: all functions from any thread.
 */
#ifndef SOLO_EXIT_WATCH_H
#define SOLO_EXIT_WATCH_H

/* Again is harmless. Nothing where images were linked in: they are not unregistered. */
void solo_exit_watch(void);

int solo_exit_has_begun(void);

#endif
