package io.tokenvault.engine.transform.module;

/** An operator module that cannot be used. The message may be shown to tenants. */
public final class UnusableModuleException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int line;
  private final boolean permanent;

  /**
   * Creates the exception.
   *
   * @param id the path of the module in the operator's folder
   * @param line the line of the flaw, from 1; 0 if it is the whole file
   * @param problem continues a sentence that begins with the path
   */
  UnusableModuleException(String id, int line, String problem) {
    this(id, line, problem, true);
  }

  private UnusableModuleException(String id, int line, String problem, boolean permanent) {
    super(id + (line > 0 ? ":" + line + ": " : " ") + problem);
    this.line = line;
    this.permanent = permanent;
  }

  /** Returns the exception for a module that may be usable when the machine is less busy. */
  static UnusableModuleException forNow(String id, String problem) {
    return new UnusableModuleException(id, 0, problem, false);
  }

  /** Returns the line of the flaw, from 1; 0 if it is the whole file. */
  int line() {
    return line;
  }

  /** Returns whether the module is unusable as long as its file is as it is. */
  boolean isPermanent() {
    return permanent;
  }
}
