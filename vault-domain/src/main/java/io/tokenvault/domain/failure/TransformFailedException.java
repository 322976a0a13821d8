package io.tokenvault.domain.failure;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A proxy's transform did not give a result. What its author threw on purpose is told to the
 * caller; nothing that the engine says is, since that can quote data.
 */
public final class TransformFailedException extends VaultException {

  private static final long serialVersionUID = 1L;

  private final int status;
  private final transient Map<String, List<String>> errors;
  private final int line;

  /**
   * @param status 400 to 599, for the caller
   * @param detail says where it happened; never what the script said
   * @param errors what the author tells the caller, by property path; empty for nothing
   * @param line of the source, from 1; 0 if it is not known
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
