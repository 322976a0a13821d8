package io.tokenvault.engine.transform;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.domain.failure.TransformFailedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.engine.transform.content.Json;
import java.util.List;
import java.util.Map;

/**
 * Problem details as JSON, in the form in which transforms receive failures.
 *
 * <p>Each problem is an object with {@code status}, {@code title}, {@code detail} and {@code
 * errors}; {@code ToWorker.Reply} describes the properties.
 */
public final class ProblemJson {

  private static final int FAULT = 500;
  private static final int NOT_IMPLEMENTED = 501;

  private ProblemJson() {}

  /** Returns the problem of a failed call, with its validation errors if there are any. */
  public static String of(VaultException refused) {
    return text(status(refused), refused.failure().title(), refused.getMessage(), errors(refused));
  }

  /** Returns the problem of an internal error, without any details of it. */
  public static String fault() {
    return text(FAULT, "Internal error", "The server failed.", Map.of());
  }

  /**
   * Returns the problem of an operation that is not available in a dry run.
   *
   * @param detail a sentence that explains why
   */
  public static String notInDryRun(String detail) {
    return text(NOT_IMPLEMENTED, "Not available in a dry run", detail, Map.of());
  }

  private static Map<String, List<String>> errors(VaultException refused) {
    if (refused instanceof TransformFailedException failed) {
      return failed.errors();
    }
    return refused instanceof ValidationException invalid ? invalid.errors() : Map.of();
  }

  private static int status(VaultException refused) {
    return refused instanceof TransformFailedException failed
        ? failed.status()
        : refused.failure().code().status();
  }

  private static String text(
      int status, String title, String detail, Map<String, List<String>> errors) {
    ObjectNode problem = Json.object();
    problem.put("status", status).put("title", title).put("detail", detail);
    ObjectNode all = problem.putObject("errors");
    errors.forEach((path, messages) -> messages.forEach(all.putArray(path)::add));
    return Json.write(problem);
  }
}
