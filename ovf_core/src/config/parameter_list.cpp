#include "ovf/config/parameter_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/value_text.hpp"

namespace ovf {
namespace {

class Lister : public ConfigVisitor {
 public:
  std::vector<Parameter> parameters;

 private:
  void on_field(const Field& field, bool& value) override {
    add(field, "bool", value ? "true" : "false", "");
  }
  void on_field(const Field& field, int& value, const IntRange& range) override {
    add(field, "int", fmt::format("{}", value), range.text());
  }
  void on_field(const Field& field, double& value, const NumberRange& range) override {
    add(field, "double", number_text(value), range.text());
  }
  void on_field(const Field& field, std::uint64_t& value) override {
    add(field, "int", fmt::format("{}", value), "at least 0");
  }
  void on_field(const Field& field, std::string& value) override {
    add(field, "string", quoted_text(value), "");
  }
  void on_field(const Field& field, std::vector<int>& value, const IntListRange& range) override {
    add(field, "int[]", list_text(value), range.text());
  }
  void on_field(const Field& field, std::vector<double>& value,
                const NumberListRange& range) override {
    add(field, "double[]", list_text(value), range.text());
  }
  void on_field(const Field& field, std::vector<std::string>& value,
                const NameListRange& range) override {
    add(field, "string[]", fmt::format("[{}]", fmt::join(value, ", ")), range.text());
  }
  void on_choice(const Field& field, std::string& value,
                 const std::vector<std::string>& allowed) override {
    add(field, "string", value, fmt::format("{}", fmt::join(allowed, ", ")));
  }

  void add(const Field& field, const char* type, const std::string& value,
           const std::string& range) {
    parameters.push_back({field.key, type, value, range, field.doc});
  }
};

// A bar would end the cell.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

std::vector<Parameter> list_parameters(const VisitFields& visit) {
  Lister lister;
  visit(lister);
  return std::move(lister.parameters);
}

std::string parameter_reference(const VisitFields& visit) {
  return parameter_reference(list_parameters(visit));
}

std::string parameter_reference(const std::vector<Parameter>& parameters) {
  std::string table = "| Key | Type | Default | Range | Meaning |\n|---|---|---|---|---|\n";
  for (const Parameter& parameter : parameters) {
    table += fmt::format("| `{}` | {} | `{}` | {} | {} |\n", parameter.key, parameter.type,
                         cell(parameter.value), cell(parameter.range), cell(parameter.doc));
  }
  return table;
}

}  // namespace ovf
