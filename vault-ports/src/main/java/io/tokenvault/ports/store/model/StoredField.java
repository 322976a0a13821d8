package io.tokenvault.ports.store.model;

import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.FieldBinding;
import java.util.Objects;

/** A sealed value as it is stored, and the place that it belongs to. */
public record StoredField(FieldBinding field, EncryptedValue sealed) {
  public StoredField {
    Objects.requireNonNull(field, "field");
    Objects.requireNonNull(sealed, "sealed");
  }
}
