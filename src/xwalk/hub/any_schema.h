#pragma once

#include <memory>
#include <utility>

namespace xwalk::hub {

struct Module;

/// A system: a cheap value that stands for its row (`hub/module.h`).
class System {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr System(const Module& module) : module_(&module) {}

  const Module& operator*() const { return *module_; }
  const Module* operator->() const { return module_; }
  /// A system has one row.
  friend bool operator==(System, System) = default;

 private:
  const Module* module_;
};

/// A schema of any system: a cheap immutable value.
class AnySchema {
 public:
  /// Makes the schema of no system, which may only be assigned to.
  AnySchema() = default;
  /// Takes a schema in a system's own model.
  template <typename Model>
  AnySchema(System system, Model model)
      : held_(std::make_shared<const Typed<Model>>(system, std::move(model))) {}

  System system() const { return held_->system; }

  /// Returns the schema in a system's own model; throws std::bad_cast if it is another's.
  template <typename Model>
  const Model& as() const {
    return dynamic_cast<const Typed<Model>&>(*held_).model;
  }
  /// The same; null if it is another's.
  template <typename Model>
  const Model* get_if() const {
    const auto* typed = dynamic_cast<const Typed<Model>*>(held_.get());
    return typed == nullptr ? nullptr : &typed->model;
  }

  friend bool operator==(const AnySchema& a, const AnySchema& b) {
    return a.held_ == b.held_ || (a.held_ && b.held_ && a.held_->equals(*b.held_));
  }

 private:
  struct Held {
    explicit Held(System its) : system(its) {}
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    virtual ~Held() = default;
    virtual bool equals(const Held& other) const = 0;

    System system;
  };

  template <typename Model>
  struct Typed final : Held {
    Typed(System its, Model schema) : Held(its), model(std::move(schema)) {}
    bool equals(const Held& other) const override {
      const auto* same = dynamic_cast<const Typed*>(&other);
      return same != nullptr && system == other.system && model == same->model;
    }

    Model model;
  };

  std::shared_ptr<const Held> held_;
};

}  // namespace xwalk::hub
