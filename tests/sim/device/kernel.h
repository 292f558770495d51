/* The header of simulated kernels.
 *
 * A simulated kernel is C code in a shared object without imports, with a vendor's ELF header
 * (dress.c). Its parameters are 8-byte slots, the launch environment first. The device calls it
 * once per thread, sequentially, so plain updates are atomic and there are no barriers. Before each
 * call the device fills the record below. */
#ifndef SIM_KERNEL_H
#define SIM_KERNEL_H

typedef struct sim_thread_record {
  unsigned block[3], thread[3];
  unsigned blocks[3], threads[3];
  void *shared; /* dynamic shared memory of the block */
  unsigned long long shared_bytes;
} sim_thread_record;

#ifdef SIM_KERNEL_SOURCE
#if defined(__NVPTX__)
/* On real GPUs (tests/gpu), special registers contain the record's values. */
#define SIM_KERNEL __attribute__((nvptx_kernel, visibility("default")))
#define SIM_DATA
extern __attribute__((address_space(3))) char sim_shared[];

static inline sim_thread_record sim_thread_now(void) {
  unsigned shared;
  __asm__("mov.u32 %0, %%dynamic_smem_size;" : "=r"(shared));
  return (sim_thread_record){
      {__nvvm_read_ptx_sreg_ctaid_x(), __nvvm_read_ptx_sreg_ctaid_y(),
       __nvvm_read_ptx_sreg_ctaid_z()},
      {__nvvm_read_ptx_sreg_tid_x(), __nvvm_read_ptx_sreg_tid_y(), __nvvm_read_ptx_sreg_tid_z()},
      {__nvvm_read_ptx_sreg_nctaid_x(), __nvvm_read_ptx_sreg_nctaid_y(),
       __nvvm_read_ptx_sreg_nctaid_z()},
      {__nvvm_read_ptx_sreg_ntid_x(), __nvvm_read_ptx_sreg_ntid_y(), __nvvm_read_ptx_sreg_ntid_z()},
      (void *)sim_shared,
      shared};
}
#define sim_thread (sim_thread_now())
#elif defined(__AMDGCN__)
#define SIM_KERNEL __attribute__((amdgpu_kernel, visibility("default")))
#define SIM_DATA   __attribute__((visibility("default")))
extern __attribute__((address_space(3))) char sim_shared[];

/* Hidden arguments of code object version 5 (LLVM's AMDGPU usage guide). */
typedef struct sim_hidden {
  unsigned blocks[3];
  unsigned short threads[3];
  char other[102];
  unsigned shared_bytes;
} sim_hidden;

static inline sim_thread_record sim_thread_now(void) {
  const __attribute__((address_space(4))) sim_hidden *h =
      (const __attribute__((address_space(4))) sim_hidden *)__builtin_amdgcn_implicitarg_ptr();
  return (sim_thread_record){{__builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
                              __builtin_amdgcn_workgroup_id_z()},
                             {__builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(),
                              __builtin_amdgcn_workitem_id_z()},
                             {h->blocks[0], h->blocks[1], h->blocks[2]},
                             {h->threads[0], h->threads[1], h->threads[2]},
                             (void *)sim_shared,
                             h->shared_bytes};
}
#define sim_thread (sim_thread_now())
#else
#define SIM_KERNEL __attribute__((visibility("default"), used))
#define SIM_DATA   SIM_KERNEL

SIM_DATA const int sim_kernel_image = 1;
#define sim_thread (*(const volatile sim_thread_record __seg_gs *)0)
#endif

/* the index of the thread along the first dimension */
static inline unsigned long long sim_index(void) {
  return (unsigned long long)sim_thread.block[0] * sim_thread.threads[0] + sim_thread.thread[0];
}

/* The index of the block in three dimensions; x varies fastest. */
static inline unsigned long long sim_team_3d(void) {
  return ((unsigned long long)sim_thread.block[2] * sim_thread.blocks[1] + sim_thread.block[1]) *
             sim_thread.blocks[0] +
         sim_thread.block[0];
}

static inline unsigned long long sim_threads_3d(void) {
  return (unsigned long long)sim_thread.threads[0] * sim_thread.threads[1] * sim_thread.threads[2];
}

static inline unsigned long long sim_index_3d(void) {
  return sim_team_3d() * sim_threads_3d() +
         ((unsigned long long)sim_thread.thread[2] * sim_thread.threads[1] + sim_thread.thread[1]) *
             sim_thread.threads[0] +
         sim_thread.thread[0];
}

static inline unsigned long long sim_count(void) {
  return (unsigned long long)sim_thread.blocks[0] * sim_thread.threads[0];
}
#endif

#endif
