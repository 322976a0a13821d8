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
 * Builds the bundle of a transform: its own program and every operator module that it reaches.
 *
 * <p>A module is compiled when it is first required and then cached permanently. Thread-safe.
 */
final class ModuleBundler {

  private static final String JSON = ".json";

  private final ModuleFiles files;
  private final ModuleCompiler compiler;

  /** The compiled modules by their ids. */
  private final Map<String, Compiled> compiled = new ConcurrentHashMap<>();

  ModuleBundler(ModuleFiles files, ModuleCompiler compiler) {
    this.files = files;
    this.compiler = compiler;
  }

  /** Compiler of the source of a module. */
  interface ModuleCompiler {

    /**
     * Compiles a module.
     *
     * @param id the path of the module in the operator's folder, used in messages
     * @throws UnusableModuleException if the source cannot be compiled
     */
    Compiled compile(String id, String source);
  }

  /**
   * Builds the bundle of a program, following {@code require} calls transitively.
   *
   * @param code the compiled program of the transform
   * @param requires the names in the transform's {@code require} calls, without built-in modules
   * @throws UnusableModuleException if one of these modules, or one that they require, does not
   *     exist or cannot be compiled
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

  /**
   * Maps each required name to the id of a module.
   *
   * @param from the id of the requiring module; empty for the transform itself
   */
  private Map<String, String> resolve(Optional<String> from, List<String> names) {
    Map<String, String> resolutions = new LinkedHashMap<>();
    for (String name : names) {
      resolutions.put(
          name,
          files.resolve(from, name).orElseThrow(() -> UnusableModuleException.unknown(from, name)));
    }
    return resolutions;
  }

  /**
   * Returns the compiled module from the cache, compiling it on first use. Two threads may compile
   * a module at the same time; the results are equal.
   */
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

  /**
   * Failure of a {@code require} call at compile or load time.
   *
   * <p>The module does not exist or cannot be used. The message gives the reason and may be shown
   * to the tenant.
   */
  static final class UnusableModuleException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnusableModuleException(String message) {
      super(message);
    }

    /**
     * Returns the failure for a name that cannot be resolved.
     *
     * @param from the id of the requiring module; empty for the transform itself
     */
    static UnusableModuleException unknown(Optional<String> from, String name) {
      return new UnusableModuleException(
          from.map(id -> "the module " + id + " requires '" + name + "', which does not exist")
              .orElse("there is no module '" + name + "'"));
    }
  }
}
