package io.tokenvault.engine.transform;

import io.tokenvault.engine.exchange.Program;
import io.tokenvault.engine.transform.content.Content;
import io.tokenvault.engine.transform.pool.WorkerFailedException.WorkerFailure;
import io.tokenvault.engine.wire.FromWorker;

/**
 * Runs compiled transforms in isolation.
 *
 * <p>Implementations are thread-safe. The code of a transform is not trusted: the result of a run
 * is data of its author.
 */
public interface TransformRunner {

  /**
   * Runs a transform once. Returns within the time limit, whatever the script does.
   *
   * @param run the program and its input
   * @param host serves the calls of the script; used by other threads, several at once, and not
   *     after this method has returned
   * @return the result, or the reason why there is none
   */
  Ending run(Run run, Host host);

  /**
   * A program and its input.
   *
   * @param content the body
   * @param context a JSON object, as {@code ToWorker.Invoke} describes it
   */
  record Run(Program program, Content content, String context) {

    /** Returns the key only, since everything else can be secret. */
    @Override
    public String toString() {
      return "Run[" + program.key() + "]";
    }
  }

  /** Server side of the calls that a script can make. */
  interface Host {

    /**
     * Makes a call.
     *
     * @param operation the operation, as {@code FromWorker.Call} describes it
     * @param json the arguments, as {@code FromWorker.Call} describes them
     * @return the result or a problem; failures are not thrown
     */
    Reply call(String operation, String json);

    /**
     * Result of a call.
     *
     * @param ok whether the call succeeded
     * @param json the result or the problem, as {@code ToWorker.Reply} describes it
     */
    record Reply(boolean ok, String json) {

      /** Returns the status only, since the JSON can be secret. */
      @Override
      public String toString() {
        return "Reply[ok=" + ok + "]";
      }
    }
  }

  /** End of a run. */
  sealed interface Ending {

    /** The worker reported a result or a failure. */
    record Reported(FromWorker.Finished finished) implements Ending {}

    /** The worker reported nothing; the server knows only the reason. */
    record Broken(WorkerFailure reason) implements Ending {}
  }
}
