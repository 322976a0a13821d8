package io.tokenvault.engine.transform.module;

import com.fasterxml.jackson.databind.node.TextNode;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.engine.transform.content.Json;
import io.tokenvault.engine.wire.FromWorker.Compiled;
import io.tokenvault.engine.wire.FromWorker.Require;
import io.tokenvault.engine.wire.ToWorker.Program;
import io.tokenvault.engine.wire.ToWorker.Provided;
import io.tokenvault.engine.worker.compile.LineTable;
import io.tokenvault.ports.runtime.TransformRuntime;
import io.tokenvault.ports.runtime.TransformRuntime.Compilation;
import io.tokenvault.ports.runtime.TransformRuntime.ModuleStatus;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The compiled modules of the operator's folder.
 *
 * <p>A module is compiled when it is first needed, once for all threads that wait for it, and then
 * kept. One that cannot be used becomes a program that throws, as a file with a syntax error does
 * in Node.js: what requires it may catch the error. Thread-safe.
 */
public final class OperatorModules {

  private final long generation;
  private final ModuleFiles files;
  private final ModuleCompiler compiler;

  /** The modules that cannot be used, and whether that lasts as long as their files do. */
  private final Map<String, Boolean> failed = new ConcurrentHashMap<>();

  /** The compiled modules by their ids, and those that are being compiled. */
  private final Map<String, CompletableFuture<Program>> programs = new ConcurrentHashMap<>();

  /** Whether all modules that {@link #names} lists were compiled. */
  private volatile boolean complete;

  /**
   * Creates the modules of a folder.
   *
   * @param generation distinguishes this state of the folder from others
   */
  OperatorModules(long generation, ModuleFiles files, ModuleCompiler compiler) {
    this.generation = generation;
    this.files = files;
    this.compiler = compiler;
  }

  /** Compiler of the source of a module. */
  public interface ModuleCompiler {

    /**
     * Compiles a module.
     *
     * @param id the path of the module in the operator's folder, used in messages
     * @throws UnusableModuleException if the source cannot be compiled
     * @throws RefusedException if it cannot be compiled now
     */
    Compiled compile(String id, String source);
  }

  /** Returns the module that a script requires, compiling it if necessary. */
  public Provided provide(Require require) {
    Optional<String> id = files.resolve(require.from(), require.name());
    if (id.isEmpty()) {
      return new Provided(Optional.empty(), true);
    }
    try {
      return new Provided(Optional.of(program(id.get())), true);
    } catch (RefusedException later) {
      String code =
          throwing("Error", "The module " + id.get() + " is not compiled yet; try again", 503);
      return new Provided(Optional.of(new Program(id.get(), code, Map.of())), false);
    }
  }

  /**
   * Compiles the modules that a transform requires by literal names, and all that these require, so
   * that no run of it waits for the compiler.
   *
   * @param requires the names in the transform's {@code require} calls, without built-in modules
   * @return the number of modules, 0 if there are none with these names
   * @throws RefusedException if a module cannot be compiled now
   */
  public int prepare(Collection<String> requires) {
    Set<String> seen = new HashSet<>();
    Deque<String> open = new ArrayDeque<>(resolutions(requires).values());
    while (!open.isEmpty()) {
      String id = open.pop();
      if (seen.add(id)) {
        open.addAll(program(id).resolutions().values());
      }
    }
    return seen.size();
  }

  /** Returns the ids of modules by the names with which a transform requires them. */
  public Map<String, String> resolutions(Collection<String> names) {
    return resolutions("", names);
  }

  private Map<String, String> resolutions(String from, Collection<String> names) {
    Map<String, String> resolutions = new LinkedHashMap<>();
    for (String name : names) {
      files.resolve(from, name).ifPresent(id -> resolutions.put(name, id));
    }
    return resolutions;
  }

  /** Returns a compiled module, or waits for the thread that is already compiling it. */
  private Program program(String id) {
    CompletableFuture<Program> mine = new CompletableFuture<>();
    CompletableFuture<Program> known = programs.putIfAbsent(id, mine);
    if (known != null) {
      return await(known);
    }
    try {
      mine.complete(compiled(id));
      return mine.join();
    } catch (RuntimeException | Error refused) {
      programs.remove(id, mine);
      mine.completeExceptionally(refused);
      throw refused;
    }
  }

  private static Program await(CompletableFuture<Program> known) {
    try {
      return known.join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RefusedException refused ? refused : failed;
    }
  }

  private Program compiled(String id) {
    try {
      return usable(id);
    } catch (UnusableModuleException unusable) {
      failed.put(id, unusable.isPermanent());
      String code = throwing("SyntaxError", unusable.getMessage(), 0);
      return new Program(id, LineTable.appended(code, unusable.line() + ",1"), Map.of());
    }
  }

  private Program usable(String id) {
    String source = files.source(id);
    if (id.endsWith(".json") || id.equals(ModuleFiles.EMPTY)) {
      return new Program(id, source, Map.of());
    }
    if (id.endsWith(".node")) {
      throw new UnusableModuleException(id, 0, "is a native addon, which cannot run here");
    }
    Compiled made = compiler.compile(id, source);
    return new Program(id, made.code(), resolutions(id, made.requires()));
  }

  /** Returns the program of a module that throws. */
  private static String throwing(String error, String message, int status) {
    String made = "new " + error + "(" + Json.write(TextNode.valueOf(message)) + ")";
    return status == 0
        ? "throw " + made + ";"
        : "throw Object.assign(" + made + ", {status: " + status + "});";
  }

  /**
   * Compiles and loads the modules at the top of the folder and each package in it, as a transform
   * that requires them does.
   *
   * @param runtime compiles transforms that require these modules
   * @param reports receives the report for each module or package, as soon as it is known
   * @throws RefusedException if no worker is free or can be started
   */
  public void check(TransformRuntime runtime, Consumer<ModuleReport> reports) {
    TenantId noTenant = new TenantId(UUID.randomUUID());
    for (String name : names()) {
      int count = prepare(List.of(name));
      Optional<String> problem = count == 0 ? Optional.empty() : problem(runtime, noTenant, name);
      reports.accept(new ModuleReport(name, count, problem));
    }
  }

  private static Optional<String> problem(
      TransformRuntime runtime, TenantId noTenant, String name) {
    String code =
        "require(" + Json.write(TextNode.valueOf(name)) + "); module.exports = () => ({});";
    return runtime.compile(noTenant, new TransformCode(code)) instanceof Compilation.Refused refused
        ? Optional.of(refused.flaws().get(0).message())
        : Optional.empty();
  }

  /**
   * The result of the check for one name.
   *
   * @param name the name by which transforms require the module or package
   * @param files the number of modules that it needs, including itself; 0 for a package without a
   *     main module, of which transforms can require parts
   * @param problem why it cannot be loaded; empty if it can
   */
  public record ModuleReport(String name, int files, Optional<String> problem) {}

  /** Returns the number of this state of the folder. */
  public long generation() {
    return generation;
  }

  /** Returns whether the folder has changed since. */
  boolean isChanged() {
    return files.isChanged();
  }

  /** Returns whether some modules failed that may compile at another time. */
  boolean hasRetryable() {
    return failed.containsValue(false);
  }

  /** Returns the same state of the folder, without the modules that may compile at another time. */
  OperatorModules withoutRetryable(long next) {
    OperatorModules again = new OperatorModules(next, files, compiler);
    programs.forEach(
        (id, program) -> {
          Boolean isPermanent = failed.get(id);
          if (isCompiled(program) && !Boolean.FALSE.equals(isPermanent)) {
            again.programs.put(id, program);
            if (isPermanent != null) {
              again.failed.put(id, isPermanent);
            }
          }
        });
    return again;
  }

  private static boolean isCompiled(CompletableFuture<Program> program) {
    return program.isDone() && !program.isCompletedExceptionally();
  }

  /** Notes that all modules that {@link #names} lists were compiled. */
  void complete() {
    complete = true;
  }

  ModuleStatus status() {
    long usable =
        programs.entrySet().stream()
            .filter(each -> isCompiled(each.getValue()) && !failed.containsKey(each.getKey()))
            .count();
    return new ModuleStatus(complete, (int) usable, failed.size());
  }

  /** Returns the names of the modules and packages that transforms can require. */
  public List<String> names() {
    return files.names();
  }
}
