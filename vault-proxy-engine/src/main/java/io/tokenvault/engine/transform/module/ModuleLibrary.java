package io.tokenvault.engine.transform.module;

import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.engine.transform.module.OperatorModules.ModuleCompiler;
import io.tokenvault.ports.runtime.TransformRuntime.ModuleStatus;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator's folder of modules over time: compiles its content in the background, and again
 * when it changes.
 *
 * <p>A change is noticed by the files that were read, the folder itself and the list of installed
 * packages. Invocations that run continue with the modules that they have. Thread-safe.
 */
public final class ModuleLibrary implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ModuleLibrary.class);

  private static final long CHECK_MILLIS = TimeUnit.SECONDS.toMillis(5);
  private static final long RETRY_MILLIS = TimeUnit.SECONDS.toMillis(1);
  private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Optional<Path> folder;
  private final ModuleCompiler compiler;
  private final Thread background = new Thread(this::keepCompiled, "modules");

  private volatile OperatorModules current;

  /**
   * Opens the folder.
   *
   * @throws IllegalArgumentException if it cannot be read; the message continues a sentence about
   *     the folder
   */
  public ModuleLibrary(Optional<Path> folder, ModuleCompiler compiler) {
    this.folder = folder;
    this.compiler = compiler;
    this.current = open(0);
    background.setDaemon(true);
    background.setPriority(Thread.MIN_PRIORITY);
  }

  private OperatorModules open(long generation) {
    ModuleFiles files = folder.map(ModuleFiles::of).orElseGet(ModuleFiles::none);
    return new OperatorModules(generation, files, compiler);
  }

  /** Returns the modules as the folder has them now. */
  public OperatorModules current() {
    return current;
  }

  /** Returns the state of the modules; empty if there is no folder. */
  public Optional<ModuleStatus> status() {
    return folder.map(unused -> current.status());
  }

  /** Starts to compile the modules of the folder in the background, if there is one. */
  public void start() {
    if (folder.isPresent()) {
      background.start();
    }
  }

  private void keepCompiled() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        OperatorModules modules = current;
        compile(modules);
        while (!modules.isChanged()) {
          Thread.sleep(CHECK_MILLIS);
        }
        reopen(modules.generation() + 1);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void reopen(long generation) throws InterruptedException {
    try {
      current = open(generation);
      LOG.info("The folder of modules has changed");
    } catch (IllegalArgumentException absent) {
      // It may be replaced at this moment.
      Thread.sleep(CHECK_MILLIS);
    }
  }

  private static void compile(OperatorModules modules) throws InterruptedException {
    long reported = System.nanoTime();
    for (String name : modules.names()) {
      while (!isCompiled(modules, name)) {
        Thread.sleep(RETRY_MILLIS);
      }
      if (System.nanoTime() - reported > REPORT_NANOS) {
        reported = System.nanoTime();
        report("Compiling the operator's modules", modules);
      }
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
    }
    modules.complete();
    report("Compiled the operator's modules", modules);
  }

  private static boolean isCompiled(OperatorModules modules, String name) {
    try {
      modules.prepare(List.of(name));
      return true;
    } catch (RefusedException busy) {
      return false;
    }
  }

  private static void report(String what, OperatorModules modules) {
    ModuleStatus status = modules.status();
    LOG.info("{}: {} usable, {} unusable", what, status.compiled(), status.failed());
  }

  /** Stops the compilation in the background. */
  @Override
  public void close() {
    background.interrupt();
  }
}
