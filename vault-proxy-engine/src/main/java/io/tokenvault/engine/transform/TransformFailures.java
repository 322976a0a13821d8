package io.tokenvault.engine.transform;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.TransformFailedException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.engine.transform.content.Json;
import io.tokenvault.engine.transform.content.UnusableContentException;
import io.tokenvault.engine.transform.pool.WorkerFailedException.WorkerFailure;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Position;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Translates failures of transforms into the errors that callers receive.
 *
 * <p>A caller sees the errors that the transform's author threw on purpose; any other failure gives
 * a fixed text and the line number, since messages of the engine can quote data. If the transform
 * ran after the request was sent, the detail says so, because a retry would send the request again.
 * In a dry run nothing was sent, and the texts say that.
 */
public final class TransformFailures {

  private static final int FAULT = 500;
  private static final int LEAST_STATUS = 400;
  private static final int GREATEST_STATUS = 599;
  private static final int BUSY = 503;
  private static final String WALL_TIME = "time";
  private static final String MEMORY = "memory";
  private static final String OUTPUT = "output";

  /** The errors of a failure for which the script gave none. */
  private static final Map<String, List<String>> NOTHING_SAID =
      Map.of("error", List.of("Transform failed"));

  private final TransformKind kind;
  private final boolean dryRun;

  TransformFailures(TransformKind kind, boolean dryRun) {
    this.kind = kind;
    this.dryRun = dryRun;
  }

  /**
   * Returns the error for a value that the script threw on purpose; a status that is not an error
   * status becomes 500.
   */
  VaultException of(Outcome.ErrorThrown threw) {
    boolean isValidStatus = threw.status() >= LEAST_STATUS && threw.status() <= GREATEST_STATUS;
    int status = isValidStatus ? threw.status() : FAULT;
    Map<String, List<String>> errors = errors(threw.errors());
    return of(FailureCause.TRANSFORM_FAILED, status, "failed", threw.position(), errors);
  }

  /** Returns the error for a failure that the worker reported. */
  VaultException of(Outcome.Failed failed) {
    Position at = failed.position();
    return switch (failed.kind()) {
      case ENGINE_ERROR -> failed("failed", at);
      case NO_FUNCTION -> failed("exports no function", Position.UNKNOWN);
      case NOT_LOADED -> failed("failed while loading", at);
      case BAD_RESULT -> failed("returned something that cannot be sent", at);
      case NEVER_SETTLES -> failed("waits for a promise that cannot be settled", at);
      case CPU_TIME -> overLimit("CPU time", at);
      case WALL_TIME -> overLimit(WALL_TIME, at);
      case INSTRUCTIONS -> overLimit("instruction", at);
      case ALLOCATION -> overLimit(MEMORY, at);
      case STACK -> overLimit("stack", at);
      case OUTPUT_SIZE -> overLimit(OUTPUT, at);
    };
  }

  /** Returns the error for a run that ended without a result of the worker. */
  VaultException of(WorkerFailure reason) {
    return switch (reason) {
      case TIMED_OUT, OUT_OF_CPU_TIME -> overLimit(WALL_TIME, Position.UNKNOWN);
      case OUT_OF_MEMORY -> overLimit(MEMORY, Position.UNKNOWN);
      case DIED -> failed("ended without a result", Position.UNKNOWN);
      case OFF -> failed("was not run: transforms are turned off in this vault", Position.UNKNOWN);
      case CANNOT_START -> busy("No worker for transforms can be started.");
      case BUSY, STOPPED -> busy("All workers for transforms are busy.");
    };
  }

  private VaultException busy(String what) {
    return notNow(FailureCause.OVERLOADED, what);
  }

  /**
   * Returns the error for a request that was rejected because memory was short.
   *
   * @param refused the original error, which invites a retry and is returned as it is in a dry run
   */
  public VaultException overloaded(RefusedException refused) {
    return dryRun ? refused : busy("The vault is overloaded.");
  }

  /**
   * Returns the error for a run in which the vault could not serve a call of the transform, because
   * its store was unavailable or memory was short.
   */
  VaultException unavailable() {
    return notNow(
        FailureCause.STORE_UNAVAILABLE,
        "The vault could not execute or record a call of the " + name() + ".");
  }

  /** Returns an error that invites a retry, unless the request has already been sent. */
  private VaultException notNow(FailureCause cause, String what) {
    return kind == TransformKind.REQUEST || dryRun
        ? new RefusedException(cause, what + " Try again.")
        : new TransformFailedException(
            FailureCause.TRANSFORM_FAILED, BUSY, what + after(), Map.of(), 0);
  }

  /**
   * Returns the error for code that an earlier compiler accepted and this one rejects.
   *
   * @param line the first line that does not compile, from 1
   */
  VaultException outdated(int line) {
    return new TransformFailedException(
        FailureCause.TRANSFORM_FAILED,
        FAULT,
        "The code of the " + name() + " no longer compiles: see line " + line + ".",
        NOTHING_SAID,
        line);
  }

  /**
   * Returns the error for a result that cannot be sent.
   *
   * @param part the part of the message at fault: body, headers or status
   * @param why continues a sentence about that part
   */
  public VaultException unsendable(String part, String why) {
    return new TransformFailedException(
        FailureCause.TRANSFORM_FAILED,
        FAULT,
        "The " + part + " that the " + name() + " returned " + why + "." + after(),
        NOTHING_SAID,
        0);
  }

  /** Returns the error for a body that exceeds the limit. */
  VaultException tooLarge() {
    return overLimit(OUTPUT, Position.UNKNOWN);
  }

  private String name() {
    return kind == TransformKind.REQUEST ? "request transform" : "response transform";
  }

  /** Returns a sentence on whether the request was sent; empty for request transforms. */
  private String after() {
    if (kind == TransformKind.REQUEST) {
      return "";
    }
    return dryRun
        ? " Nothing was sent; in an invocation, the request would already have been sent to the"
            + " destination."
        : " The request had already been sent to the destination.";
  }

  private VaultException failed(String what, Position at) {
    return of(FailureCause.TRANSFORM_FAILED, FAULT, what, at, NOTHING_SAID);
  }

  private VaultException overLimit(String limit, Position at) {
    String what = "exceeded the " + limit + " limit";
    return of(FailureCause.TRANSFORM_LIMIT, FAULT, what, at, Map.of());
  }

  /**
   * Creates the error. A line in an operator's module is only part of the text, since the line
   * property refers to the code of the transform.
   */
  private VaultException of(
      FailureCause cause, int status, String what, Position at, Map<String, List<String>> errors) {
    String detail = "The " + name() + " " + what + where(at) + "." + after();
    int line = at.module().isEmpty() ? Math.max(at.line(), 0) : 0;
    return new TransformFailedException(cause, status, detail, errors, line);
  }

  private static String where(Position at) {
    if (at.line() <= 0) {
      return "";
    }
    String line = " at line " + at.line();
    return at.module().isEmpty() ? line : line + " of the module " + at.module();
  }

  /** Reads the errors that the script threw; malformed ones are replaced by a fixed text. */
  private static Map<String, List<String>> errors(String json) {
    try {
      Map<String, List<String>> errors = new LinkedHashMap<>();
      Json.read(json)
          .properties()
          .forEach(entry -> errors.put(entry.getKey(), texts(entry.getValue())));
      return errors;
    } catch (UnusableContentException malformed) {
      return NOTHING_SAID;
    }
  }

  private static List<String> texts(JsonNode values) {
    List<String> texts = new ArrayList<>();
    values.forEach(value -> texts.add(value.asText()));
    return texts;
  }
}
