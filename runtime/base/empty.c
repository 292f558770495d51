/* A translation unit with nothing in it: for libraries that consist of dynamic entries alone
 * (backends/drivers.ninja). */
typedef int solo_empty;
