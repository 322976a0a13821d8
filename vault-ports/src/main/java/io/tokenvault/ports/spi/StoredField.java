package io.tokenvault.ports.spi;

import java.util.Objects;

/** A sealed value as it is stored, and the place that it belongs to. */
public record StoredField(SealedField field, Sealed sealed) {
  public StoredField {
    Objects.requireNonNull(field, "field");
    Objects.requireNonNull(sealed, "sealed");
  }
}
