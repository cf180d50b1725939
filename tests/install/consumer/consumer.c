/* The least that a user's program does: loads the library, and meets an error that it understands. */
#include <stdio.h>
#include <string.h>
#include <vsr/vsr.h>

int main(void) {
  vsr_error error = VSR_ERROR_INIT;
  vsr_engine* model = NULL;
  if (vsr_abi_version() != VSR_ABI_VERSION) return 1;
  if (vsr_engine_open_model("no/such/folder", NULL, &model, &error) != VSR_ERR_NOT_FOUND) return 2;
  if (model != NULL || strstr(error.message, "no/such/folder") == NULL) return 3;
  printf("vsr %s on LibTorch %s\n", vsr_version().data, vsr_torch_version().data);
  return 0;
}
