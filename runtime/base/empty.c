/* The only source file of libraries that consist of dynamic entries (backends/drivers.ninja). */
typedef int solo_empty;
