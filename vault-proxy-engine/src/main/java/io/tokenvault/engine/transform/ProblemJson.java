package io.tokenvault.engine.transform;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.domain.failure.TransformFailedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.engine.transform.TransformRunner.Host.Reply;
import io.tokenvault.engine.transform.content.Json;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Problem details as JSON, in the form in which transforms receive failures.
 *
 * <p>Each problem is an object with {@code status}, {@code title}, {@code detail} and {@code
 * errors}; {@code ToWorker.Reply} describes the properties.
 */
public final class ProblemJson {

  private static final Logger LOG = LoggerFactory.getLogger(ProblemJson.class);
  private static final int FAULT = 500;
  private static final int NOT_IMPLEMENTED = 501;

  private ProblemJson() {}

  /** Returns the problem of a failed call, with its validation errors if there are any. */
  public static String of(VaultException refused) {
    return text(status(refused), refused.failure().title(), refused.getMessage(), errors(refused));
  }

  /**
   * Returns the reply to a call; a failure becomes a problem, without any details of a fault.
   *
   * @param origin where the call comes from, for the log: a transform or a dry run
   */
  public static Reply reply(String origin, Supplier<Reply> call) {
    try {
      return call.get();
    } catch (VaultException refused) {
      return new Reply(false, of(refused));
    } catch (RuntimeException fault) {
      LOG.error("A call from {} failed: {}", origin, fault.getClass().getName());
      return new Reply(false, text(FAULT, "Internal error", "The server failed.", Map.of()));
    }
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
    errors.forEach(
        (path, messages) -> {
          ArrayNode texts = all.withArrayProperty(Json.acceptable(path));
          messages.forEach(message -> texts.add(Json.acceptable(message)));
        });
    return Json.write(problem);
  }
}
