package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.ToWorker.Reply;
import java.io.UncheckedIOException;

/**
 * Connection to the server for the calls of a script.
 *
 * <p>Calls are sent immediately; replies are received by the thread that waits for them. Call ids
 * are never reused, so that a late reply cannot reach another invocation.
 */
interface HostCalls {

  /**
   * Sends a call.
   *
   * @param operation {@code fetch} or an operation of {@code bt}
   * @param json the arguments, as {@code FromWorker.Call} describes them
   * @return the call id, which the reply repeats
   * @throws UncheckedIOException if the server has closed the pipe
   */
  int send(String operation, String json);

  /**
   * Waits for the next reply to any call.
   *
   * @param nanos the longest wait
   * @return null if there is none in time
   */
  Reply awaitReply(long nanos);
}
