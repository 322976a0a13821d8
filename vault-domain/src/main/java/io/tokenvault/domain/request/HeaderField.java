package io.tokenvault.domain.request;

import java.util.Objects;

/**
 * One header line as it was received; a repeated header yields several fields.
 *
 * @param value one character for each byte (ISO 8859-1), so that no byte is lost
 */
public record HeaderField(String name, String value) {
  public HeaderField {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(value, "value");
  }

  /** Returns whether the field has this name, ignoring case. */
  public boolean is(String otherName) {
    return name.equalsIgnoreCase(otherName);
  }

  /** Returns the name only, because values can be secret. */
  @Override
  public String toString() {
    return "HeaderField[" + name + "]";
  }
}
