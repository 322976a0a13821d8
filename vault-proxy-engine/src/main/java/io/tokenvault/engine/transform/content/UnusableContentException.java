package io.tokenvault.engine.transform.content;

/** Something cannot be given to a transform, or taken from one; says why in fixed words. */
public final class UnusableContentException extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * @param why continues a sentence about what it is: "is not valid JSON"
   */
  UnusableContentException(String why) {
    super(why);
  }
}
