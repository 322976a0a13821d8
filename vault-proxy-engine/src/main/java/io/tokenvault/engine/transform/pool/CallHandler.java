package io.tokenvault.engine.transform.pool;

import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.ToWorker;

/**
 * Does what a script may only ask for. Called on threads of the pool's, several at once for one
 * invocation; how long it takes is its own concern, but nobody waits for it beyond the invocation.
 * The call is the script's word and not to be trusted.
 */
@FunctionalInterface
public interface CallHandler {

  ToWorker.Reply answer(FromWorker.Call call);
}
