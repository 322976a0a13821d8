package io.tokenvault.engine.transform;

import io.tokenvault.engine.wire.FromWorker.Compiled;
import io.tokenvault.engine.wire.ToWorker.Bundle;
import io.tokenvault.engine.wire.ToWorker.Program;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Puts together what a transform needs: its own program and all modules of the operator's that it
 * reaches. A module is compiled when it is first needed, and then kept.
 */
final class ModuleBundler {

  private static final String JSON = ".json";

  private final ModuleFiles files;
  private final ModuleCompiler compiler;
  private final Map<String, Compiled> compiled = new ConcurrentHashMap<>();

  ModuleBundler(ModuleFiles files, ModuleCompiler compiler) {
    this.files = files;
    this.compiler = compiler;
  }

  /** Compiles a module's source. */
  interface ModuleCompiler {

    /**
     * @throws UnusableModuleException if it cannot be used
     */
    Compiled compile(String id, String source);
  }

  /**
   * @param requires the names in the transform's {@code require} calls, built-ins left out
   * @throws UnusableModuleException if one of them, or one that they need, cannot be used
   */
  Bundle of(String code, List<String> requires) {
    Map<String, Program> modules = new LinkedHashMap<>();
    Map<String, String> resolutions = resolve(Optional.empty(), requires);
    Deque<String> open = new ArrayDeque<>(resolutions.values());
    while (!open.isEmpty()) {
      String id = open.pop();
      if (!modules.containsKey(id)) {
        Compiled module = module(id);
        Map<String, String> inner = resolve(Optional.of(id), module.requires());
        modules.put(id, new Program(module.code(), inner));
        open.addAll(inner.values());
      }
    }
    return new Bundle(new Program(code, resolutions), modules);
  }

  private Map<String, String> resolve(Optional<String> from, List<String> names) {
    Map<String, String> resolutions = new LinkedHashMap<>();
    for (String name : names) {
      resolutions.put(
          name,
          files.resolve(from, name).orElseThrow(() -> UnusableModuleException.unknown(from, name)));
    }
    return resolutions;
  }

  /** Two threads may compile the same module at once; both get the same. */
  private Compiled module(String id) {
    Compiled known = compiled.get(id);
    if (known != null) {
      return known;
    }
    Compiled made =
        id.endsWith(JSON)
            ? new Compiled(files.source(id), List.of())
            : compiler.compile(id, files.source(id));
    compiled.put(id, made);
    return made;
  }
}
