/* Views: texts on their way in, arrays on their way out. Included by vsr/vsr.hpp. */
#ifndef VSR_HPP_TEXTS_HPP
#define VSR_HPP_TEXTS_HPP

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <vector>

#include "../vsr.h"

namespace vsr {

/** A borrowed array. */
template <class T>
class Span {
 public:
  Span() = default;
  Span(const T* data, size_t size) : data_(data), size_(size) {}
  const T* data() const { return data_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  const T& operator[](size_t i) const { return data_[i]; }

 private:
  const T* data_ = nullptr;
  size_t size_ = 0;
};

namespace detail {

inline vsr_str to_c(std::string_view text) { return {text.data(), text.size()}; }

template <class Range>
using ElementOf = decltype(*std::begin(std::declval<const Range&>()));

/** Ranges whose elements outlive the iteration: a range that makes its strings on the fly would leave views of nothing.
 */
template <class Range>
constexpr bool kHoldsTexts = std::is_convertible_v<ElementOf<Range>, std::string_view> &&
                             (std::is_lvalue_reference_v<ElementOf<Range>> ||
                              std::is_same_v<std::decay_t<ElementOf<Range>>, std::string_view>);

}  // namespace detail

/** The texts of one call: a braced list, or any range of strings. A parameter type; borrows what it is made from. */
class Texts {
 public:
  Texts(std::initializer_list<std::string_view> texts) : Texts(texts.begin(), texts.end()) {}
  template <class Range, class = std::enable_if_t<detail::kHoldsTexts<Range>>>
  Texts(const Range& texts) : Texts(std::begin(texts), std::end(texts)) {}

  const vsr_str* data() const { return items_.data(); }
  size_t size() const { return items_.size(); }

 private:
  template <class Iterator>
  Texts(Iterator first, Iterator last) {
    for (; first != last; ++first) items_.push_back(detail::to_c(*first));
  }
  std::vector<vsr_str> items_;
};

}  // namespace vsr

#endif
