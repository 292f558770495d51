/* The source of libraries that only have dynamic entries (backends/drivers.ninja). */
typedef int solo_empty;
