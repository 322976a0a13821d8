package io.tokenvault.engine.wire;

import java.util.List;
import java.util.Optional;

/** What a worker says. */
public sealed interface FromWorker {

  /** The worker is warm and waits. Sent once, after {@link ToWorker.Begin}. */
  record Ready() implements FromWorker {}

  /**
   * The source can be run.
   *
   * @param requires the names in its {@code require} calls, built-ins left out, each once
   */
  record Compiled(String code, List<String> requires) implements FromWorker {
    public Compiled {
      requires = List.copyOf(requires);
    }
  }

  /** The source cannot be run. */
  record Refused(List<Flaw> flaws) implements FromWorker {
    public Refused {
      flaws = List.copyOf(flaws);
    }
  }

  /**
   * The script asks for something that only the server can do; a {@link ToWorker.Reply} is due.
   * Several may be under way.
   *
   * @param operation {@code fetch} or, for example, {@code bt.tokens.create}
   * @param json for {@code fetch} an object of {@code url}, {@code method}, {@code headers} (a list
   *     of pairs) and {@code body} (Base64, absent for none); for {@code bt} the list of arguments
   */
  record Call(int callId, String operation, String json) implements FromWorker {}

  /** How an invocation or probe ended, and what the script wrote to its console. */
  record Finished(Outcome outcome, List<ConsoleLine> console) implements FromWorker {
    public Finished {
      console = List.copyOf(console);
    }
  }

  /**
   * What is wrong with a source.
   *
   * @param line from 1
   * @param column from 1
   * @param message what is wrong and what would be right
   */
  record Flaw(int line, int column, String message) {}

  /**
   * A line of the console.
   *
   * @param level {@code log}, {@code info}, {@code warn}, {@code error} or {@code debug}
   */
  record ConsoleLine(String level, String text) {}

  /**
   * Where a script was.
   *
   * @param module the id of the operator's module; empty for the transform itself
   * @param line of the source, from 1; 0 if it is not known
   */
  record Position(String module, int line) {
    public static final Position UNKNOWN = new Position("", 0);
  }

  /** How an invocation ended. */
  sealed interface Outcome {

    /**
     * The function's promise was kept with an object. A probe that found a function ends with
     * {@link BodyKind#ABSENT} and no headers.
     *
     * @param headers a JSON object of strings and lists of strings, or {@code null}; empty if they
     *     were left out
     */
    record Returned(BodyKind kind, byte[] body, Optional<String> headers) implements Outcome {}

    /**
     * The script threw a {@code CustomHttpResponseError}.
     *
     * @param headers a JSON object of strings and lists of strings
     */
    record Answered(int status, String headers, BodyKind kind, byte[] body) implements Outcome {}

    /**
     * The script threw something on purpose.
     *
     * @param status 400 to 599
     * @param errors a JSON object of lists of strings
     */
    record Threw(int status, String errors, Position position) implements Outcome {}

    /** Something else ended it; texts of the engine's can quote data and are not told. */
    record Failed(Failing kind, Position position) implements Outcome {}
  }

  /** Why an invocation ended without a result. */
  enum Failing {
    /** A TypeError and the like, thrown by the engine. */
    ENGINE_ERROR,
    /** The script exports no function. */
    NO_FUNCTION,
    /** The script is gone wrong before it could export anything. */
    NOT_LOADED,
    /** What was returned is no object, or its body or headers cannot be sent. */
    BAD_RESULT,
    /** Nothing is under way that could settle the promise. */
    NEVER_SETTLES,
    CPU_TIME,
    WALL_TIME,
    INSTRUCTIONS,
    ALLOCATION,
    STACK,
    OUTPUT_SIZE
  }
}
