/* The quantiles in a line "NAME quantiles V V ..." of a question program. */
#ifndef SOLO_BENCH_QUANTILES_H
#define SOLO_BENCH_QUANTILES_H

enum { BENCH_QUANTILES = 12 };

static const double bench_fraction[BENCH_QUANTILES] = {0,    0.1,  0.25,  0.5,   0.75,   0.9,
                                                       0.95, 0.99, 0.995, 0.999, 0.9995, 0.9999};

#endif
