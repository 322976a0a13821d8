package io.tokenvault.domain.proxy;

/** When a transform of a proxy runs (interface, section 2, Proxy). */
public enum TransformKind {
  /** On the request, before it is forwarded. */
  REQUEST("request_transform"),
  /** On the destination's answer, before it is returned. */
  RESPONSE("response_transform");

  private final String property;

  TransformKind(String property) {
    this.property = property;
  }

  /** The property of a proxy that holds it. */
  public String property() {
    return property;
  }

  /** The path of what is wrong with its code. */
  public String codePath() {
    return property + ".code";
  }
}
