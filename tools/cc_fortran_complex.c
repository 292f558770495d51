/* flang passes structures, AMD's ocml expects vectors. */
#include "tools/cc.h"

#include <stdio.h>

static const char *const functions[] = {"cabs",   "cacos", "cacosh", "casin", "casinh", "catan",
                                        "catanh", "ccos",  "ccosh",  "cexp",  "clog",   "csin",
                                        "csinh",  "csqrt", "ctan",   "ctanh"};

/* Returns the name in ocml (cexp_f64) of flang's name (@__ocml_cexp_f64, @cexp, @__divdc3), or NULL. */
static const char *ocml_name(const char *at, size_t *size) {
  const char *divide = solo_tool_skip_prefix(at, "@__div");
  *size = strlen("@__divsc3");
  if (divide && solo_tool_skip_prefix(divide, "sc3(")) return "cdiv_f32";
  if (divide && solo_tool_skip_prefix(divide, "dc3(")) return "cdiv_f64";
  const char *ocml = solo_tool_skip_prefix(at, "@__ocml_"), *name = ocml ? ocml : at + 1;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    const char *rest = solo_tool_skip_prefix(name, functions[i]);
    if (!rest) continue;
    bool is_float = solo_tool_skip_prefix(rest, ocml ? "_f32(" : "f(") != NULL;
    if (!is_float && !solo_tool_skip_prefix(rest, ocml ? "_f64(" : "(")) continue;
    *size = (size_t)(strchr(rest, '(') - at);
    return solo_tool_text("%s_%s", functions[i], is_float ? "f32" : "f64");
  }
  return NULL;
}

static void write_vector(FILE *out, const char *type, char name, const char *re, const char *im) {
  fprintf(out,
          "  %%%c.0 = insertelement <2 x %s> poison, %s %s, i32 0\n"
          "  %%%c = insertelement <2 x %s> %%%c.0, %s %s, i32 1\n",
          name, type, type, re, name, type, name, type, im);
}

static void write_function(FILE *out, const char *line, const char *name) {
  const char *type = strstr(name, "_f32") ? "float" : "double";
  const char *result = line + strlen("declare "), *at = strchr(line, '@');
  int size = (int)(at - 1 - result);
  const char *value = strchr(at, '(') + 1;
  int value_size = (int)strcspn(value, ")");
  bool divides = solo_tool_skip_prefix(name, "cdiv") != NULL,
       is_real = *result != '{' && *result != '[';
  if (!divides && *value != '{' && *value != '[') {
    fprintf(out, "define internal %.*s @solo_%s(%s %%x, %s %%y) {\n", size, result, name, type,
            type);
    write_vector(out, type, 'a', "%x", "%y");
  } else if (divides) {
    fprintf(out, "define internal %.*s @solo_%s(%s %%x, %s %%y, %s %%z, %s %%w) {\n", size, result,
            name, type, type, type, type);
    write_vector(out, type, 'a', "%x", "%y");
    write_vector(out, type, 'b', "%z", "%w");
  } else {
    fprintf(out, "define internal %.*s @solo_%s(%.*s %%x) {\n", size, result, name, value_size,
            value);
    for (int i = 0; i < 2; i++)
      fprintf(out, "  %%x.%d = extractvalue %.*s %%x, %d\n", i, value_size, value, i);
    write_vector(out, type, 'a', "%x.0", "%x.1");
  }
  const char *vector = solo_tool_text("<2 x %s>", type);
  const char *returned = is_real ? type : vector;
  fprintf(out, "  %%r = call %s @__ocml_%s(%s %%a%s)\n", returned, name, vector,
          divides ? solo_tool_text(", %s %%b", vector) : "");
  if (is_real) {
    fprintf(out, "  ret %s %%r\n}\n", type);
  } else {
    for (int i = 0; i < 2; i++)
      fprintf(out, "  %%r.%d = extractelement %s %%r, i32 %d\n", i, vector, i);
    fprintf(
        out,
        "  %%s = insertvalue %.*s poison, %s %%r.0, 0\n  %%t = insertvalue %.*s %%s, %s %%r.1, 1\n"
        "  ret %.*s %%t\n}\n",
        size, result, type, size, result, type, size, result);
  }
  fprintf(out, "declare %s @__ocml_%s(%s%s)\n", returned, name, vector,
          divides ? solo_tool_text(", %s", vector) : "");
}

char *solo_cc_mend_complex(const char *code) {
  char *text = NULL;
  size_t all = 0, size;
  FILE *out = open_memstream(&text, &all);
  if (!out) solo_tool_die("no memory");
  while (*code) {
    size_t line = strcspn(code, "\n");
    const char *end = code + line + (code[line] == '\n'), *name = NULL;
    bool declares = solo_tool_skip_prefix(code, "declare ") != NULL;
    for (const char *at = code; (at = memchr(at, '@', (size_t)(end - at))); at++) {
      name = ocml_name(at, &size);
      if (!name) continue;
      if (declares) break;
      fprintf(out, "%.*s@solo_%s", (int)(at - code), code, name);
      code = at + size;
    }
    if (declares && name)
      write_function(out, code, name);
    else
      fwrite(code, 1, (size_t)(end - code), out);
    code = end;
  }
  if (fclose(out) != 0) solo_tool_die("no memory");
  return text;
}
