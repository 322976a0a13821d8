package io.tokenvault.engine.worker.node.buffer;

import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.NodeError;

/** What a function of the surface does when a script calls it. */
@FunctionalInterface
public interface FunctionBody {
  /**
   * Throws a {@link NodeError} where Node.js would throw; returns a value of the script's own kind,
   * never another Java object.
   */
  Object call(ByteRealm realm, Object self, CallArguments args);
}
