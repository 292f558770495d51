#include "abi/offload/block_tree.h"

static uint64_t priority(const ol_block *b) {
  return (uint64_t)b->begin * UINT64_C(0x9e3779b97f4a7c15) >> 8;
}

ol_block *ol_block_find(ol_block *root, uintptr_t address) {
  while (root && address - root->begin >= root->bytes)
    root = address < root->begin ? root->left : root->right;
  return root;
}

int ol_block_overlaps(const ol_block *root, uintptr_t begin, size_t bytes) {
  while (root && (begin - root->begin >= root->bytes && root->begin - begin >= bytes))
    root = begin < root->begin ? root->left : root->right;
  return root != NULL;
}

static void split(ol_block *root, uintptr_t at, ol_block **low, ol_block **high) {
  while (root) {
    if (root->begin < at) {
      *low = root;
      low = &root->right;
      root = root->right;
    } else {
      *high = root;
      high = &root->left;
      root = root->left;
    }
  }
  *low = *high = NULL;
}

void ol_block_insert(ol_block **root, ol_block *block) {
  while (*root && priority(*root) >= priority(block))
    root = block->begin < (*root)->begin ? &(*root)->left : &(*root)->right;
  split(*root, block->begin, &block->left, &block->right);
  *root = block;
}

void ol_block_remove(ol_block **root, const ol_block *block) {
  while (*root != block) root = block->begin < (*root)->begin ? &(*root)->left : &(*root)->right;
  ol_block *low = block->left, *high = block->right;
  while (low && high) {
    if (priority(low) >= priority(high)) {
      *root = low;
      root = &low->right;
      low = low->right;
    } else {
      *root = high;
      root = &high->left;
      high = high->left;
    }
  }
  *root = low ? low : high;
}
