package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.ToWorker.Program;
import io.tokenvault.engine.wire.ToWorker.Provided;
import io.tokenvault.engine.worker.Invocation.HostCalls;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The operator modules that a worker has received, parsed once for all transforms that require
 * them.
 */
final class ModuleStore {

  private final Map<String, LoadedProgram> modules = new HashMap<>();

  /** The ids by requiring module and name, where the server was asked; empty for no module. */
  private final Map<Name, Optional<String>> resolved = new HashMap<>();

  private long generation;

  /** A name and the id of the module that requires it. */
  private record Name(String from, String name) {}

  /** Removes all modules if they are of another generation of the operator's folder. */
  void begin(long current) {
    if (generation != current) {
      generation = current;
      modules.clear();
      resolved.clear();
    }
  }

  /** Returns a module that was received; null if there is none with this id. */
  LoadedProgram get(String id) {
    return modules.get(id);
  }

  /**
   * Finds a module by the name in a {@code require} call, asking the server if it is not here.
   *
   * @param nanos the longest wait for the server
   * @return empty if there is no such module, or no response in time
   */
  Optional<LoadedProgram> find(LoadedProgram from, String name, HostCalls server, long nanos) {
    Name asked = new Name(from.id(), name);
    String id = from.program().resolutions().get(name);
    Optional<String> known = id == null ? resolved.get(asked) : Optional.of(id);
    if (known != null && (known.isEmpty() || modules.containsKey(known.get()))) {
      return known.map(modules::get);
    }
    Provided provided = server.require(from.id(), name, nanos);
    if (provided == null) {
      return Optional.empty();
    }
    if (provided.cacheable()) {
      resolved.put(asked, provided.module().map(Program::id));
    }
    return provided.module().map(module -> received(module, provided.cacheable()));
  }

  private LoadedProgram received(Program program, boolean cacheable) {
    LoadedProgram present = modules.get(program.id());
    if (present != null) {
      return present;
    }
    LoadedProgram loaded = LoadedProgram.parse(program);
    if (cacheable) {
      modules.put(program.id(), loaded);
    }
    return loaded;
  }
}
