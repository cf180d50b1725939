/*
 * vsr: semantic routing inside a program. The C interface, the only thing that libvsr exports.
 *
 *   vsr_error error = VSR_ERROR_INIT;
 *   vsr_engine *model = NULL;
 *   if (vsr_engine_open_model("path/to/all-MiniLM-L6-v2", NULL, &model, &error) != VSR_OK) {
 *     fprintf(stderr, "%s\n", error.message);
 *     return 1;
 *   }
 *   vsr_str text = VSR_STR("where is my card?");
 *   vsr_result *result = NULL;
 *   if (vsr_embed(model, &text, 1, NULL, &result, &error) == VSR_OK) {
 *     printf("%zu dimensions, first %f\n", vsr_result_col_count(result), vsr_result_data(result)[0]);
 *   }
 *   vsr_result_free(result);
 *   vsr_engine_free(model);
 *
 * Conventions. Functions return vsr_status; out-parameters are set to NULL or 0 on failure; vsr_error, the last
 * parameter, is optional. Options begin with struct_size, come with an _INIT macro, mean their default when zero, and
 * may be NULL. Structs that the library gives begin with struct_size too, and come as pointers; NULL for an engine is the
 * default engine. Names follow the rule of docs/c-api.md. Offsets are bytes, ends exclusive. Ownership is one of "Caller frees with ...", "Borrowed until ... is
 * freed" and "Copied"; thread-safety is the last line of each comment. No function prints, exits or throws.
 */
#ifndef VSR_H
#define VSR_H

#include "adapters.h"
#include "answer.h"
#include "cancel.h"
#include "compress.h"
#include "engine.h"
#include "generate.h"
#include "guard.h"
#include "infer.h"
#include "intents.h"
#include "mask.h"
#include "moderate.h"
#include "multi.h"
#include "result.h"
#include "router.h"
#include "select.h"
#include "tokenizer.h"
#include "types.h"

#endif
