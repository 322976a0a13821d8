package io.tokenvault.engine.transform.pool;

import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.ToWorker;

/**
 * Server side of the calls that a script makes.
 *
 * <p>Used by threads of the pool, several at once for one invocation. A call may take any time, but
 * the invocation does not wait for it beyond its own end. The call is data of the script and not
 * trusted.
 */
@FunctionalInterface
public interface CallHandler {

  /**
   * Serves a call.
   *
   * @return the reply, which has the id of the call and is a problem if the call failed
   */
  ToWorker.Reply answer(FromWorker.Call call);
}
