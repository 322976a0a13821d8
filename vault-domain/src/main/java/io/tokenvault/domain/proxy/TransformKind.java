package io.tokenvault.domain.proxy;

/** The point at which a proxy's transform runs (interface, section 2, Proxy). */
public enum TransformKind {
  /** Runs on the request, before it is forwarded. */
  REQUEST("request_transform"),
  /** Runs on the destination's response, before it is returned. */
  RESPONSE("response_transform");

  private final String property;

  TransformKind(String property) {
    this.property = property;
  }

  /** Returns the property of a proxy that contains the transform. */
  public String property() {
    return property;
  }

  /** Returns the path of violations in its code. */
  public String codePath() {
    return property + ".code";
  }
}
