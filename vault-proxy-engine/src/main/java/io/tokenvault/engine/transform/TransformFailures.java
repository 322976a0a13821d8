package io.tokenvault.engine.transform;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.TransformFailedException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.engine.transform.TransformRunner.Ending.Reason;
import io.tokenvault.engine.transform.content.Json;
import io.tokenvault.engine.transform.content.UnusableContentException;
import io.tokenvault.engine.wire.FromWorker.Failing;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Position;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a caller is told of a transform that failed: what its author threw on purpose, and else
 * fixed words and the line. The caller of one that ran after the request was sent is told that too,
 * since sending it again would do everything twice; in a dry run nothing was sent.
 */
public final class TransformFailures {

  private static final int FAULT = 500;
  private static final int LEAST_STATUS = 400;
  private static final int GREATEST_STATUS = 599;
  private static final int BUSY = 503;
  private static final Map<String, List<String>> NOTHING_SAID =
      Map.of("error", List.of("Transform failed"));

  private final TransformKind kind;
  private final boolean dryRun;

  TransformFailures(TransformKind kind, boolean dryRun) {
    this.kind = kind;
    this.dryRun = dryRun;
  }

  VaultException of(Outcome.Threw threw) {
    boolean sound = threw.status() >= LEAST_STATUS && threw.status() <= GREATEST_STATUS;
    return failed(
        sound ? threw.status() : FAULT, "failed", threw.position(), errors(threw.errors()));
  }

  VaultException of(Outcome.Failed failed) {
    Position at = failed.position();
    return switch (failed.kind()) {
      case ENGINE_ERROR -> failed("failed", at);
      case NO_FUNCTION -> failed("exports no function", Position.UNKNOWN);
      case NOT_LOADED -> failed("failed while it was loaded", at);
      case BAD_RESULT -> failed("returned something that cannot be sent", at);
      case NEVER_SETTLES -> failed("waits for something that cannot happen", at);
      case CPU_TIME, WALL_TIME, INSTRUCTIONS, ALLOCATION, STACK, OUTPUT_SIZE ->
          overLimit(limit(failed.kind()), at);
    };
  }

  private static String limit(Failing limit) {
    return switch (limit) {
      case CPU_TIME -> "used more CPU time than it may";
      case WALL_TIME -> "took more time than it may";
      case INSTRUCTIONS -> "ran more instructions than it may";
      case ALLOCATION -> "used more memory than it may";
      case STACK -> "used more of the stack than it may";
      case OUTPUT_SIZE -> "gave a larger output than it may";
      default -> throw new IllegalArgumentException("no limit: " + limit);
    };
  }

  VaultException of(Reason reason) {
    return switch (reason) {
      case TIME -> overLimit(limit(Failing.WALL_TIME), Position.UNKNOWN);
      case MEMORY -> overLimit(limit(Failing.ALLOCATION), Position.UNKNOWN);
      case DIED -> failed("ended without a result", Position.UNKNOWN);
      case MODULE_GONE -> failed("requires a module that is no longer there", Position.UNKNOWN);
      case BUSY -> busy("All workers for transforms are busy.");
    };
  }

  private VaultException busy(String what) {
    return notNow(FailureCause.OVERLOADED, what);
  }

  /**
   * @param refused for want of room, and inviting to try again, which fits if nothing was sent
   */
  public VaultException overloaded(RefusedException refused) {
    return dryRun ? refused : busy("The vault is overloaded.");
  }

  /** The vault did not do what the transform asked it for, for want of its store or of room. */
  VaultException unavailable() {
    return notNow(
        FailureCause.STORE_UNAVAILABLE,
        "The vault could not do, or not record, what the " + name() + " asked it for.");
  }

  /** Nobody is invited to repeat what has already been sent. */
  private VaultException notNow(FailureCause cause, String what) {
    return kind == TransformKind.REQUEST || dryRun
        ? new RefusedException(cause, what + " Try again.")
        : new TransformFailedException(
            FailureCause.TRANSFORM_FAILED, BUSY, what + after(), Map.of(), 0);
  }

  /** Code that an earlier compiler took. */
  static VaultException outdated(TransformKind kind, int line) {
    return new TransformFailedException(
        FailureCause.TRANSFORM_FAILED,
        FAULT,
        "The code of the " + name(kind) + " no longer compiles: see its line " + line + ".",
        NOTHING_SAID,
        line);
  }

  /**
   * What was returned breaks the rules for it.
   *
   * @param part body or headers
   */
  public VaultException unsendable(String part, String why) {
    return new TransformFailedException(
        FailureCause.TRANSFORM_FAILED,
        FAULT,
        "The " + part + " that the " + name() + " returned " + why + "." + after(),
        NOTHING_SAID,
        0);
  }

  VaultException tooLarge() {
    return overLimit(limit(Failing.OUTPUT_SIZE), Position.UNKNOWN);
  }

  private String name() {
    return name(kind);
  }

  private static String name(TransformKind kind) {
    return kind == TransformKind.REQUEST ? "request transform" : "response transform";
  }

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
    return failed(FAULT, what, at, NOTHING_SAID);
  }

  private VaultException failed(
      int status, String what, Position at, Map<String, List<String>> errors) {
    return of(FailureCause.TRANSFORM_FAILED, status, what, at, errors);
  }

  private VaultException overLimit(String what, Position at) {
    return of(FailureCause.TRANSFORM_LIMIT, FAULT, what, at, Map.of());
  }

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

  private static Map<String, List<String>> errors(String json) {
    try {
      Map<String, List<String>> errors = new LinkedHashMap<>();
      Json.read(json)
          .properties()
          .forEach(entry -> errors.put(entry.getKey(), texts(entry.getValue())));
      return errors;
    } catch (UnusableContentException notTold) {
      return NOTHING_SAID;
    }
  }

  private static List<String> texts(JsonNode values) {
    List<String> texts = new ArrayList<>();
    values.forEach(value -> texts.add(value.asText()));
    return texts;
  }
}
