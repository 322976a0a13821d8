package io.tokenvault.ports.runtime;

import io.tokenvault.domain.json.JsonValue;

/** Reads and writes JSON text (RFC 8259) in UTF-8. All threads may share one instance. */
public interface JsonCodec {

  /** How deep arrays and objects may be nested. */
  int MAX_DEPTH = 64;

  /**
   * Reads exactly one value.
   *
   * @throws io.tokenvault.domain.failure.ValidationException at {@code error}, naming line and
   *     column, if the bytes are not UTF-8 or not JSON, if an object has a key twice, text follows
   *     the value, nesting is deeper than {@link #MAX_DEPTH}, or a string holds NUL or a lone
   *     surrogate
   */
  JsonValue read(byte[] utf8);

  /** The shortest text; members in their order, numbers as they were read. */
  byte[] write(JsonValue value);
}
