package io.tokenvault.engine.wire;

import java.util.List;
import java.util.Optional;

/**
 * Message from a worker to the server.
 *
 * <p>Workers run code of tenants, so the server must not trust any message: a worker that has been
 * taken over can send anything that {@link MessageCodec} accepts.
 */
public sealed interface FromWorker {

  /** The worker is warm and ready. Sent once, in response to {@link ToWorker.Begin}. */
  record Ready() implements FromWorker {}

  /**
   * The source was compiled.
   *
   * @param code the program, as {@link ToWorker.Program} takes it
   * @param requires the distinct names in its {@code require} calls, without built-in modules
   */
  record Compiled(String code, List<String> requires) implements FromWorker {
    public Compiled {
      requires = List.copyOf(requires);
    }
  }

  /** The source cannot be compiled. */
  record Refused(List<Flaw> flaws) implements FromWorker {
    public Refused {
      flaws = List.copyOf(flaws);
    }
  }

  /**
   * A call by the script that only the server can serve; the server responds with {@link
   * ToWorker.Reply}. Several calls may be in progress at a time.
   *
   * @param callId identifies the reply
   * @param operation {@code fetch} or, for example, {@code bt.tokens.create}
   * @param json for {@code fetch} an object with {@code url}, {@code method}, {@code headers} (a
   *     list of pairs) and {@code body} (Base64, absent for none); for {@code bt} the list of
   *     arguments
   */
  record Call(int callId, String operation, String json) implements FromWorker {}

  /**
   * Asks for an operator module that a script requires; the server responds with {@link
   * ToWorker.Provided}. The script waits, so there is one such request at a time.
   *
   * @param from the id of the requiring module; empty for the transform itself
   * @param name the argument of {@code require}, which is no built-in module
   */
  record Require(String from, String name) implements FromWorker {}

  /**
   * The end of an invocation or probe.
   *
   * @param console the lines that the script wrote to its console
   * @param thrown the value that the script or the engine threw, for dry runs and tests only, since
   *     it can quote data
   */
  record Finished(Outcome outcome, List<ConsoleLine> console, Optional<Thrown> thrown)
      implements FromWorker {
    public Finished {
      console = List.copyOf(console);
    }

    /** Creates the end of a run that threw nothing. */
    public Finished(Outcome outcome, List<ConsoleLine> console) {
      this(outcome, console, Optional.empty());
    }
  }

  /**
   * A thrown value.
   *
   * @param name the name of an error, such as {@code TypeError}; empty for other values
   * @param message the message of an error, or another value as a string
   */
  record Thrown(String name, String message) {

    /** Returns the name only, since the message can be secret. */
    @Override
    public String toString() {
      return "Thrown[" + name + "]";
    }
  }

  /**
   * An error in a source.
   *
   * @param line from 1
   * @param column from 1
   * @param message describes the error and, if possible, the correct form
   */
  record Flaw(int line, int column, String message) {}

  /**
   * A line that the script wrote to its console.
   *
   * @param level {@code log}, {@code info}, {@code warn}, {@code error} or {@code debug}
   */
  record ConsoleLine(String level, String text) {}

  /**
   * A position in a script.
   *
   * @param module the id of the operator's module; empty for the transform itself
   * @param line the line of the source, from 1; 0 if it is not known
   * @param column the column at which a statement or its first part begins, from 1; 0 if unknown
   */
  record Position(String module, int line, int column) {
    public static final Position UNKNOWN = new Position("", 0);

    /** Creates a position without a column. */
    public Position(String module, int line) {
      this(module, line, 0);
    }
  }

  /** Outcome of an invocation or probe. */
  sealed interface Outcome {

    /**
     * The promise of the function was fulfilled with an object. A successful probe ends with {@link
     * BodyKind#ABSENT} and no headers.
     *
     * @param body the body in the encoding of its kind
     * @param headers a JSON object of strings and lists of strings, or {@code null}; empty if they
     *     were omitted
     */
    record Returned(BodyKind kind, byte[] body, Optional<String> headers) implements Outcome {}

    /**
     * The script threw a {@code CustomHttpResponseError}: a separate response.
     *
     * @param status the status that the script chose; any number
     * @param headers a JSON object of strings and lists of strings
     * @param body the body in the encoding of its kind
     */
    record ResponseThrown(int status, String headers, BodyKind kind, byte[] body)
        implements Outcome {}

    /**
     * The script threw an error on purpose.
     *
     * @param status 400 to 599
     * @param errors a JSON object of lists of strings
     */
    record ErrorThrown(int status, String errors, Position position) implements Outcome {}

    /** Any other failure. The messages of the engine can quote data and are not part of it. */
    record Failed(FailureKind kind, Position position) implements Outcome {}
  }

  /**
   * Reason why an invocation ended without a result.
   *
   * <p>The position of each constant is part of the wire format.
   */
  enum FailureKind {
    /** The engine threw a {@code TypeError} or similar. */
    ENGINE_ERROR,
    /** The script exports no function. */
    NO_FUNCTION,
    /** The script failed before it could export anything. */
    NOT_LOADED,
    /** The returned value is not an object, or its body or headers cannot be sent. */
    BAD_RESULT,
    /** The promise is pending, and no timer or call is left that could settle it. */
    NEVER_SETTLES,
    /** The CPU time limit was exceeded. */
    CPU_TIME,
    /** The limit on elapsed time was exceeded. */
    WALL_TIME,
    /** The limit on interpreted instructions was exceeded. */
    INSTRUCTIONS,
    /** The limit on allocated memory was exceeded. */
    ALLOCATION,
    /** The stack overflowed. */
    STACK,
    /** The returned body is larger than allowed. */
    OUTPUT_SIZE
  }
}
