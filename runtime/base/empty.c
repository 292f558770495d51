/* The only source of the filter libraries, which contain no code (backends/drivers.ninja). */
typedef int solo_empty;
