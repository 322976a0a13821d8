package io.tokenvault.engine.transform.module;

/** An operator module that cannot be used. The message may be shown to tenants. */
public final class UnusableModuleException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int line;

  /**
   * Creates the exception.
   *
   * @param id the path of the module in the operator's folder
   * @param line the line of the flaw, from 1; 0 if it is the whole file
   * @param problem continues a sentence that begins with the path
   */
  UnusableModuleException(String id, int line, String problem) {
    super(id + (line > 0 ? ":" + line + ": " : " ") + problem);
    this.line = line;
  }

  /** Returns the line of the flaw, from 1; 0 if it is the whole file. */
  int line() {
    return line;
  }
}
