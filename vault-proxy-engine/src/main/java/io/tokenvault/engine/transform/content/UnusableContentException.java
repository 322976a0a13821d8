package io.tokenvault.engine.transform.content;

/**
 * Failure to pass content to a transform or to take it from one.
 *
 * <p>The message is fixed text without any of the content, so it may be shown to callers.
 */
public final class UnusableContentException extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * Creates a failure.
   *
   * @param why continues a sentence about the content, as in "is not valid JSON"
   */
  UnusableContentException(String why) {
    super(why);
  }
}
