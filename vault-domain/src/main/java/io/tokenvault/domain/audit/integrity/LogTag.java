package io.tokenvault.domain.audit.integrity;

import java.util.Arrays;
import java.util.Objects;

/** A MAC or signature over a part of the audit log, and the id of its key. */
public record LogTag(int keyId, byte[] bytes) {

  public LogTag {
    bytes = bytes.clone();
  }

  @Override
  public byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LogTag tag && keyId == tag.keyId && Arrays.equals(bytes, tag.bytes);
  }

  @Override
  public int hashCode() {
    return Objects.hash(keyId, Arrays.hashCode(bytes));
  }

  @Override
  public String toString() {
    return "LogTag[key " + Integer.toUnsignedString(keyId) + "]";
  }
}
