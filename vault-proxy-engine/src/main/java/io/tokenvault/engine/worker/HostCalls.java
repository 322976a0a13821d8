package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.ToWorker.Reply;
import java.io.UncheckedIOException;

/**
 * The way to the server: calls go out at once, replies come to the thread that asks for them. The
 * numbers of calls never come again, so that a late reply reaches no other invocation.
 */
interface HostCalls {

  /**
   * @return the number that the reply will have
   * @throws UncheckedIOException if the server is gone
   */
  int send(String operation, String json);

  /**
   * Waits for the next reply, of whatever call.
   *
   * @return null if none came in time
   */
  Reply awaitReply(long nanos);
}
