/* The tool sim-dress: replaces the ELF header of an x86-64 shared object by the header of a
 * vendor's code object.
 *   sim-dress IN OUT MACHINE OSABI ABIVERSION FLAGS
 *   Cubin: 190 51 7 <sm> (old layout) or 190 0x41 8 <sm << 8> (new). AMD code object: 224 64 3 ...
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc != 7) {
    fprintf(stderr, "usage: sim-dress IN OUT MACHINE OSABI ABIVERSION FLAGS\n");
    return 2;
  }
  FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "wb");
  Elf64_Ehdr header;
  if (!in || !out || fread(&header, sizeof header, 1, in) != 1 ||
      memcmp(header.e_ident, ELFMAG, SELFMAG)) {
    fprintf(stderr, "sim-dress: cannot read %s as ELF or write %s\n", argv[1], argv[2]);
    return 1;
  }
  header.e_machine = (Elf64_Half)strtoul(argv[3], NULL, 0);
  header.e_ident[EI_OSABI] = (unsigned char)strtoul(argv[4], NULL, 0);
  header.e_ident[EI_ABIVERSION] = (unsigned char)strtoul(argv[5], NULL, 0);
  header.e_flags = (Elf64_Word)strtoul(argv[6], NULL, 0);
  fwrite(&header, sizeof header, 1, out);
  char buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, in)) > 0;) fwrite(buffer, 1, n, out);
  return fclose(out) || ferror(in) ? 1 : 0;
}
