package io.tokenvault.domain.token;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** What a patch says about one property: nothing, that it goes, or what it becomes. */
public sealed interface Change<T> {

  /** The property was not in the patch. */
  record Keep<T>() implements Change<T> {}

  /** The property was null in the patch: it goes back to its default. */
  record Reset<T>() implements Change<T> {}

  /** The property was given. */
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

  /** The new value, if one was given. */
  default Optional<T> given() {
    return this instanceof To<T> to ? Optional.of(to.value()) : Optional.empty();
  }

  /**
   * The property afterwards.
   *
   * @param present what it is now; empty for its default
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
