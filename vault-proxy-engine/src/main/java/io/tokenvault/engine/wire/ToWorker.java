package io.tokenvault.engine.wire;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What the server says. A worker does one thing at a time: between {@link Compile}, {@link Probe}
 * or {@link Invoke} and the message that ends it, only {@link Reply} comes.
 */
public sealed interface ToWorker {

  /**
   * The first message, once.
   *
   * @param compiler whether the worker compiles; else it runs
   * @param errorModules further names of the module {@code vault-errors}
   */
  record Begin(boolean compiler, List<String> errorModules) implements ToWorker {
    public Begin {
      errorModules = List.copyOf(errorModules);
    }
  }

  /**
   * Compile this; answered with {@link FromWorker.Compiled} or {@link FromWorker.Refused}.
   *
   * @param module whether it is a module of the operator's, which need not export a function and
   *     may be nested to any depth
   * @param cpuMillis of CPU time; beyond it the worker answers with {@link FromWorker.Finished} and
   *     ends
   */
  record Compile(String source, boolean module, long cpuMillis) implements ToWorker {}

  /** Keep a bundle under a key that has not been used yet; not answered. */
  record Load(String key, Bundle bundle) implements ToWorker {}

  /** Run a bundle without calling it, to see what it exports; answered as {@link Invoke}. */
  record Probe(String key, Limits limits) implements ToWorker {}

  /**
   * Run a bundle's function in a realm of its own; answered with {@link FromWorker.Finished}.
   *
   * @param body in the encoding of its kind
   * @param context a JSON object: {@code headers}, {@code method}, {@code path}, {@code query},
   *     {@code configuration}, and {@code bt}, true if the client is given
   */
  record Invoke(String key, Limits limits, BodyKind kind, byte[] body, String context)
      implements ToWorker {}

  /**
   * The answer to a {@link FromWorker.Call}.
   *
   * @param json the result; or, if it failed, an object of {@code status}, {@code title}, {@code
   *     detail} and {@code errors}
   */
  record Reply(int callId, boolean ok, String json) implements ToWorker {}

  /**
   * A compiled transform and all modules of the operator's that it reaches.
   *
   * @param modules by id, the path of a file under the folder of modules
   */
  record Bundle(Program entry, Map<String, Program> modules) {
    public Bundle {
      Objects.requireNonNull(entry, "entry");
      modules = Map.copyOf(modules);
    }
  }

  /**
   * A compiled script.
   *
   * @param code what the compiler made
   * @param resolutions the ids of the modules that its {@code require} calls name; names of
   *     built-ins are not among them
   */
  record Program(String code, Map<String, String> resolutions) {
    public Program {
      Objects.requireNonNull(code, "code");
      resolutions = Map.copyOf(resolutions);
    }
  }

  /**
   * What an invocation may use.
   *
   * @param wallMillis from the message to the end, waiting included
   * @param allocatedBytes over the whole invocation, whether still held or not
   * @param maxOutput of a returned body, in bytes
   * @param maxCalls of {@code bt} and {@code fetch} together
   */
  record Limits(
      long cpuMillis,
      long wallMillis,
      long instructions,
      long allocatedBytes,
      int maxOutput,
      int maxCalls) {}
}
