package io.tokenvault.engine.wire;

/**
 * Kind of a body that is passed to or from a transform.
 *
 * <p>The position of each constant is part of the wire format.
 */
public enum BodyKind {
  /** Not specified: a transform that returns no body leaves the original one unchanged. */
  ABSENT,
  /** No body. */
  NONE,
  /** JSON in UTF-8; the transform sees the parsed value. */
  JSON,
  /** Text in UTF-8; the transform sees a string. */
  TEXT,
  /** Bytes; the transform sees a {@code Buffer}. */
  BINARY
}
