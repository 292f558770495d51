/* solo-bench: SVG charts, drawn by hand: one bar per contestant and metric on a logarithmic scale.
 */
#include "bench/solo_bench.h"

#include <math.h>
#include <string.h>

static const char *const colours[CONTESTANTS] = {"#1b7f5c", "#57b894", "#c0504d", "#8c3a38",
                                                 "#7f7f7f", "#a8a8a8", "#4f81bd"};

enum { ROW = 14, GAP = 10, LEFT = 220, WIDTH = 560 };

static bool belongs(const metric *m, const char *prefix) {
  return !strncmp(m->name, prefix, strlen(prefix));
}

/* One chart of all metrics that begin with prefix. */
static int write_chart(const result *r, const char *folder, const char *prefix, const char *title) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s.svg", folder, title);
  double low = 1e300, high = 0;
  int rows = 0, groups = 0;
  for (size_t i = 0; i < r->count; i++)
    for (int c = 0; belongs(&r->metrics[i], prefix) && c < CONTESTANTS; c++) {
      double v = value_of(&r->metrics[i], (contestant)c, r->rounds).middle;
      if (c == 0) groups++;
      if (v <= 0) continue;
      rows++;
      if (v < low) low = v;
      if (v > high) high = v;
    }
  if (rows == 0) return 0;
  FILE *f = fopen(path, "w");
  if (!f) {
    perror(path);
    return 1;
  }
  low = floor(log10(low)), high = ceil(log10(high) + 1e-9);
  int y = 30, height = 40 + rows * ROW + groups * GAP;
  fprintf(f,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
          "font-family=\"sans-serif\" font-size=\"11\">\n"
          "<text x=\"%d\" y=\"16\" font-size=\"13\">%s (logarithmic, shorter is better)</text>\n",
          LEFT + WIDTH + 100, height, LEFT, title);
  for (size_t i = 0; i < r->count; i++) {
    const metric *m = &r->metrics[i];
    if (!belongs(m, prefix)) continue;
    fprintf(f, "<text x=\"4\" y=\"%d\">%s</text>\n", y + 10, m->name);
    for (int c = 0; c < CONTESTANTS; c++) {
      double v = value_of(m, (contestant)c, r->rounds).middle;
      if (v <= 0) continue;
      double width = (log10(v) - low) / (high - low) * WIDTH;
      fprintf(f,
              "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>"
              "<text x=\"%.1f\" y=\"%d\">%s %.3g %s</text>\n",
              LEFT, y, width < 1 ? 1 : width, ROW - 2, colours[c], LEFT + width + 4, y + 10,
              contestant_name[c], v, m->unit);
      y += ROW;
    }
    y += GAP;
  }
  fprintf(f, "</svg>\n");
  return fclose(f) != 0;
}

int write_plots(const result *r, const char *folder) {
  return write_chart(r, folder, "launch/", "launch") |
         write_chart(r, folder, "mapping/", "mapping") |
         write_chart(r, folder, "transfer/", "transfer") |
         write_chart(r, folder, "startup/", "startup") | write_chart(r, folder, "app/", "apps");
}
