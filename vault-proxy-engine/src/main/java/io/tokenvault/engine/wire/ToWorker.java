package io.tokenvault.engine.wire;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Message from the server to a worker.
 *
 * <p>A worker does one thing at a time: between {@link Compile}, {@link Probe} or {@link Invoke}
 * and the message that ends it, the server sends {@link Reply} and {@link Provided} only.
 */
public sealed interface ToWorker {

  /**
   * The first message, sent once; the response is {@link FromWorker.Ready}.
   *
   * @param compiler whether the worker compiles; otherwise it runs transforms
   * @param errorModules additional names of the module {@code vault-errors}
   */
  record Begin(boolean compiler, List<String> errorModules) implements ToWorker {
    public Begin {
      errorModules = List.copyOf(errorModules);
    }
  }

  /**
   * Compiles a source; the response is {@link FromWorker.Compiled} or {@link FromWorker.Refused}.
   *
   * @param source the source, in JavaScript
   * @param module whether it is an operator module, which need not export a function and may be
   *     nested to any depth
   * @param cpuMillis the CPU time limit; beyond it the worker responds with {@link
   *     FromWorker.Finished} and ends
   */
  record Compile(String source, boolean module, long cpuMillis) implements ToWorker {}

  /**
   * Stores a transform under a key that was not used before; there is no response.
   *
   * @param key identifies the transform in {@link Probe} and {@link Invoke}
   * @param generation the state of the operator's folder; modules of another one are removed
   */
  record Load(String key, long generation, Program program) implements ToWorker {}

  /**
   * Runs a transform without calling its function, in order to check its export; the response is
   * that of {@link Invoke}.
   */
  record Probe(String key, Limits limits) implements ToWorker {}

  /**
   * Calls the function of a transform in a new realm; the response is {@link FromWorker.Finished}.
   *
   * @param body the body in the encoding of its kind
   * @param context a JSON object: {@code headers}, {@code method}, {@code path}, {@code query},
   *     {@code configuration}, and {@code bt}, true if the script is given the client
   */
  record Invoke(String key, Limits limits, BodyKind kind, byte[] body, String context)
      implements ToWorker {}

  /**
   * The response to a {@link FromWorker.Call}.
   *
   * @param json the result; or, if the call failed, an object with {@code status}, {@code title},
   *     {@code detail} and {@code errors}
   */
  record Reply(int callId, boolean ok, String json) implements ToWorker {}

  /**
   * The response to {@link FromWorker.Require}.
   *
   * @param module the module; empty if there is none with that name
   * @param cacheable whether a later request would have the same response
   */
  record Provided(Optional<Program> module, boolean cacheable) implements ToWorker {}

  /**
   * A compiled script.
   *
   * @param id the path of a module relative to the operator's folder; empty for a transform
   * @param code the output of the compiler; the source for JSON modules
   * @param resolutions the ids of modules by the names in its {@code require} calls, without
   *     built-in modules and names that resolve to nothing
   */
  record Program(String id, String code, Map<String, String> resolutions) {
    public Program {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(code, "code");
      resolutions = Map.copyOf(resolutions);
    }

    /** Creates a transform that requires nothing of the operator's folder. */
    public Program(String code) {
      this("", code, Map.of());
    }
  }

  /**
   * Limits of one invocation.
   *
   * @param cpuMillis CPU time of the script
   * @param wallMillis elapsed time from the message to the end, including waits
   * @param instructions instructions of the interpreter
   * @param allocatedBytes memory allocated over the whole invocation, whether still in use or not
   * @param maxOutput the size of a returned body, in bytes
   * @param maxCalls the number of {@code bt} and {@code fetch} calls together
   */
  record Limits(
      long cpuMillis,
      long wallMillis,
      long instructions,
      long allocatedBytes,
      int maxOutput,
      int maxCalls) {}
}
