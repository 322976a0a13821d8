package io.tokenvault.engine.wire;

/** What a body is to a transform. */
public enum BodyKind {
  /** Not said: a transform that returns no body leaves it as it was. */
  ABSENT,
  /** There is none. */
  NONE,
  /** A JSON text in UTF-8; the transform has its value. */
  JSON,
  /** Text in UTF-8; the transform has a string. */
  TEXT,
  /** Bytes; the transform has a {@code Buffer}. */
  BINARY
}
