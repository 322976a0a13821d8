package io.tokenvault.domain.token;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** The change of one property in a patch: keep it, reset it to its default, or set a new value. */
public sealed interface Change<T> {

  /** The property is absent from the patch. */
  record Keep<T>() implements Change<T> {}

  /** The property is null in the patch, which resets it to its default. */
  record Reset<T>() implements Change<T> {}

  /** The patch sets a new value. */
  record To<T>(T value) implements Change<T> {
    public To {
      Objects.requireNonNull(value, "value");
    }

    @Override
    public String toString() {
      return "To[redacted]";
    }
  }

  default boolean isKeep() {
    return this instanceof Keep;
  }

  /** Returns the new value, if there is one. */
  default Optional<T> given() {
    return this instanceof To<T> to ? Optional.of(to.value()) : Optional.empty();
  }

  /**
   * Returns the property after the change.
   *
   * @param present the current value; empty for the default
   */
  default Optional<T> apply(Optional<T> present) {
    return isKeep() ? present : given();
  }

  default <R> Change<R> map(Function<T, R> mapping) {
    if (this instanceof To<T> to) {
      return new To<>(mapping.apply(to.value()));
    }
    return isKeep() ? new Keep<>() : new Reset<>();
  }
}
