/* Pointers in flang's device code for AMD GPUs. flang stores pointers to private memory
 * (addrspace(5), 4 bytes) in structures; they become generic pointers. */
#include "tools/cc_fortran_code.h"

/* Renames intrinsics: @llvm.memcpy.p5.p0.i64 becomes @llvm.memcpy.p0.p0.i64. */
static char *generic_intrinsic(const char *line) {
  char *result = solo_tool_text("%s", line);
  for (char *at = result; (at = strstr(at, "@llvm.mem"));) {
    char *end = at + strcspn(at, "(");
    for (; at < end; at++)
      if (at[0] == '.' && at[1] == 'p' && at[2] == '5') at[2] = '0';
  }
  return result;
}

char *solo_fc_generic_line(const char *line) {
  if (strstr(line, "@llvm.stack") || !strstr(line, "addrspace(5)")) return generic_intrinsic(line);
  char *plain = solo_fc_replace(generic_intrinsic(line), "ptr addrspace(5)", "ptr");
  const char *cast = strstr(plain, "= addrspacecast ptr %"),
             *to = cast ? strstr(cast, " to ptr") : 0;
  if (!to || solo_tool_skip_prefix(to, " to ptr addrspace")) return plain;
  return solo_tool_text("%.*s= bitcast%s", (int)(cast - plain), plain,
                        cast + strlen("= addrspacecast"));
}
