package io.tokenvault.ports.runtime;

import io.tokenvault.domain.json.JsonValue;

/** Reads and writes JSON (RFC 8259) in UTF-8. Implementations are thread-safe. */
public interface JsonCodec {

  /** The maximum nesting depth of arrays and objects. */
  int MAX_DEPTH = 64;

  /**
   * Reads exactly one value.
   *
   * @throws io.tokenvault.domain.failure.ValidationException at {@code error}, with line and column
   *     unless there is no value, if the bytes are not UTF-8 or not JSON, if an object has a
   *     duplicate key, other content follows the value, nesting is deeper than {@link #MAX_DEPTH},
   *     or a string contains NUL or a lone surrogate
   */
  JsonValue read(byte[] utf8);

  /**
   * Returns the shortest JSON for a value, with properties in their order and numbers as they were
   * read.
   */
  byte[] write(JsonValue value);
}
