package io.tokenvault.domain.failure;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reports that a proxy's transform returned no result. Errors that its author threw on purpose are
 * returned to the caller; messages of the script engine are not, because they can quote data.
 */
public final class TransformFailedException extends VaultException {

  private static final long serialVersionUID = 1L;

  private final int status;
  private final transient Map<String, List<String>> errors;
  private final int line;

  /**
   * Creates the failure.
   *
   * @param status 400 to 599, for the caller
   * @param detail states where the failure occurred; never a message of the script
   * @param errors the author's messages for the caller, by property path; may be empty
   * @param line the line of the source, from 1; 0 if unknown
   */
  public TransformFailedException(
      FailureCause failure, int status, String detail, Map<String, List<String>> errors, int line) {
    super(failure, detail, null);
    if (status < 400 || status > 599) {
      throw new IllegalArgumentException("a failure has a status of 400 to 599");
    }
    this.status = status;
    this.errors = copy(errors);
    this.line = line;
  }

  private static Map<String, List<String>> copy(Map<String, List<String>> errors) {
    Map<String, List<String>> copy = new LinkedHashMap<>();
    errors.forEach((path, messages) -> copy.put(path, List.copyOf(messages)));
    return Collections.unmodifiableMap(copy);
  }

  public int status() {
    return status;
  }

  public Map<String, List<String>> errors() {
    return errors;
  }

  public int line() {
    return line;
  }

  @Override
  public String outcome() {
    return line > 0 ? super.outcome() + " at line " + line : super.outcome();
  }
}
