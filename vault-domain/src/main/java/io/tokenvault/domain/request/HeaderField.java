package io.tokenvault.domain.request;

import java.util.Objects;

/**
 * One header line as it came; repeated headers are several fields.
 *
 * @param value a character for each byte (ISO 8859-1), so that no byte is lost
 */
public record HeaderField(String name, String value) {
  public HeaderField {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(value, "value");
  }

  public boolean is(String otherName) {
    return name.equalsIgnoreCase(otherName);
  }

  /** The name only: values can be secret. */
  @Override
  public String toString() {
    return "HeaderField[" + name + "]";
  }
}
