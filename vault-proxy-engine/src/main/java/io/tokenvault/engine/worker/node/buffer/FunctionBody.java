package io.tokenvault.engine.worker.node.buffer;

import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.NodeError;

/** Body of a function of the surface. */
@FunctionalInterface
public interface FunctionBody {
  /**
   * Runs the function for a call by a script.
   *
   * @param realm the realm of the function
   * @param self the receiver of the call
   * @param args the arguments
   * @return a JavaScript value, never another Java object
   * @throws NodeError if Node.js would throw an error
   */
  Object call(ByteRealm realm, Object self, CallArguments args);
}
