/*
 * vsr for C++17 and newer: the C interface as values that free themselves. Header-only.
 *
 *   vsr::Model model("path/to/all-MiniLM-L6-v2");
 *   vsr::Intents intents(model);
 *   intents.add("card", {"where is my card?", "my card has not arrived"});
 *   for (const vsr::Match& match : intents.route({"still no card in my mail"})) {
 *     std::cout << match.label.value_or("none of these") << ' ' << match.score << '\n';
 *   }
 *
 * Conventions. What fails throws vsr::Error. Objects that hold a handle move and do not copy; their const functions
 * are thread-safe, as those of the C interface are. Texts are std::string_view, read before the call returns and never
 * kept. Views that an accessor returns are borrowed from the object it is called on. The C headers are the manual.
 */
#ifndef VSR_VSR_HPP
#define VSR_VSR_HPP

#include "hpp/adapters.hpp"
#include "hpp/cancel.hpp"
#include "hpp/compress.hpp"
#include "hpp/engine.hpp"
#include "hpp/enums.hpp"
#include "hpp/error.hpp"
#include "hpp/generate.hpp"
#include "hpp/guard.hpp"
#include "hpp/intents.hpp"
#include "hpp/mask.hpp"
#include "hpp/multi.hpp"
#include "hpp/result.hpp"
#include "hpp/router.hpp"
#include "hpp/select.hpp"
#include "hpp/texts.hpp"
#include "hpp/tokenizer.hpp"

#endif
