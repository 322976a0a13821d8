package io.tokenvault.ports.store.model;

import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.FieldBinding;
import java.util.Objects;

/** An encrypted value as it is stored, and the field that it belongs to. */
public record StoredField(FieldBinding field, EncryptedValue sealed) {
  public StoredField {
    Objects.requireNonNull(field, "field");
    Objects.requireNonNull(sealed, "sealed");
  }
}
