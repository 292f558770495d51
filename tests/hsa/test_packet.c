/* Description: AQL packets have the layout of hsa.h; the first word is published last. */
#include "backends/hsa/hsa_packet.h"

#include "tests/unit/test.h"

static const solo_hsa_dispatch launch = {.kernel_object = 0x1122334455667788,
                                         .kernarg = 0x7f0000001000,
                                         .teams = {100, 2, 1},
                                         .threads = {256, 1, 1},
                                         .private_bytes = 48,
                                         .group_bytes = 1024,
                                         .completion = {0xabcdef}};

static void dispatch(void) {
  uint8_t slot[64], *s = slot;
  uint32_t word = 0;
  memset(slot, 0x5a, sizeof slot);
  hsa_kernel_dispatch_packet_t *packet = (hsa_kernel_dispatch_packet_t *)(void *)slot;
  CHECK_INT(solo_hsa_packet_dispatch(packet, &launch, SOLO_HSA_ORDERED, &word), SOLO_OK);
  /* the first word is still the word of an invalid packet */
  for (int i = 0; i < 4; i++) CHECK_INT(s[i], 0x5a);
  CHECK_INT(packet->workgroup_size_x, 256);
  CHECK_INT(packet->workgroup_size_y, 1);
  CHECK_INT(packet->workgroup_size_z, 1);
  CHECK_INT(packet->reserved0, 0);
  CHECK_INT(packet->grid_size_x, 25600);
  CHECK_INT(packet->grid_size_y, 2);
  CHECK_INT(packet->grid_size_z, 1);
  CHECK_INT(packet->private_segment_size, 48);
  CHECK_INT(packet->group_segment_size, 1024);
  CHECK_INT(packet->kernel_object, 0x1122334455667788);
  CHECK(packet->kernarg_address == (void *)0x7f0000001000);
  CHECK_INT(packet->reserved2, 0);
  CHECK_INT(packet->completion_signal.handle, 0xabcdef);
  solo_hsa_packet_publish(slot, word);
  /* header: type 2, barrier bit 8, acquire scope 2 at bit 9, release scope 2 at bit 11. setup: two
   * dimensions. */
  CHECK_INT(packet->header, 2 | 1 << 8 | 2 << 9 | 2 << 11);
  CHECK_INT(packet->setup, 2);
  CHECK_INT(solo_hsa_packet_dispatch(packet, &launch, SOLO_HSA_UNORDERED, &word), SOLO_OK);
  CHECK_INT(word & 0xffff, 2 | 2 << 9 | 2 << 11);
}

static void refused(uint32_t teams, uint32_t threads) {
  hsa_kernel_dispatch_packet_t packet;
  solo_hsa_dispatch bad = launch;
  uint32_t word;
  bad.teams[0] = teams, bad.threads[0] = threads;
  CHECK_INT(solo_hsa_packet_dispatch(&packet, &bad, SOLO_HSA_ORDERED, &word), SOLO_INVALID);
  CHECK_HAS(solo_error_last()->text, "HSA takes at most");
}

static void barrier(void) {
  hsa_barrier_and_packet_t packet;
  hsa_signal_t signals[6] = {{1}, {2}, {3}, {4}, {5}, {6}}, done = {77};
  uint32_t word;
  memset(&packet, 0x5a, sizeof packet);
  CHECK_INT(solo_hsa_packet_barrier(&packet, signals, 2, done, SOLO_HSA_ORDERED, &word), SOLO_OK);
  solo_hsa_packet_publish(&packet, word);
  CHECK_INT(packet.header, 3 | 1 << 8 | 2 << 9 | 2 << 11);
  CHECK_INT(packet.dep_signal[0].handle, 1);
  CHECK_INT(packet.dep_signal[1].handle, 2);
  CHECK_INT(packet.dep_signal[2].handle, 0);
  CHECK_INT(packet.dep_signal[4].handle, 0);
  CHECK_INT(packet.completion_signal.handle, 77);
  CHECK_INT(solo_hsa_packet_barrier(&packet, signals, 6, done, SOLO_HSA_ORDERED, &word),
            SOLO_INVALID);
}

int main(void) {
  dispatch();
  refused(0, 64);
  refused(1, 0);
  refused(1, 65536);
  refused(UINT32_MAX, 2);
  barrier();
  return TEST_RESULT();
}
