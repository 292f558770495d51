#ifndef SOLO_TOOLS_PACK_BUNDLE_H
#define SOLO_TOOLS_PACK_BUNDLE_H

#include "tools/pack.h"

solo_pack_writer solo_pack_format_bundle;
solo_pack_writer solo_pack_format_hip;
solo_pack_writer solo_pack_format_text;
solo_pack_writer solo_pack_format_ccob1;
solo_pack_writer solo_pack_format_ccob2;
solo_pack_writer solo_pack_format_ccob3;

void solo_pack_zstd(solo_pack_buffer *out, solo_span bytes, int level);
void solo_pack_zlib(solo_pack_buffer *out, solo_span bytes, int level);

#endif
