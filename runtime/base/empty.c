/* Placeholder. */
typedef int solo_empty;
