#pragma once

#include <string_view>

/// Text files that the build puts into the library (cmake/embed_text.cmake).
namespace ovf::embedded {

extern const std::string_view kChartJs;
extern const std::string_view kPageHtml;
extern const std::string_view kPageCss;
extern const std::string_view kPageJs;
extern const std::string_view kAxesJs;
extern const std::string_view kSeriesJs;
extern const std::string_view kZoomJs;

}  // namespace ovf::embedded
