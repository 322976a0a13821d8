package io.tokenvault.engine.transform.module;

import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.engine.transform.module.OperatorModules.ModuleCompiler;
import io.tokenvault.ports.runtime.TransformRuntime.ModuleStatus;
import java.nio.file.Path;
import java.time.Duration;
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

  /** The time after which modules that took too long or too much memory are compiled again. */
  private static final Duration RETRY_AFTER = Duration.ofHours(1);

  private static final long BUSY_MILLIS = TimeUnit.SECONDS.toMillis(1);
  private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Optional<Path> folder;
  private final ModuleCompiler compiler;
  private final Duration retryAfter;
  private final Thread background = new Thread(this::keepCompiled, "modules");

  private volatile OperatorModules current;

  /**
   * Opens the folder.
   *
   * @throws IllegalArgumentException if it cannot be read; the message continues a sentence about
   *     the folder
   */
  public ModuleLibrary(Optional<Path> folder, ModuleCompiler compiler) {
    this(folder, compiler, RETRY_AFTER);
  }

  /**
   * Opens the folder.
   *
   * @param retryAfter the time after which a module is compiled again that may compile at another
   *     time
   */
  ModuleLibrary(Optional<Path> folder, ModuleCompiler compiler, Duration retryAfter) {
    this.folder = folder;
    this.compiler = compiler;
    this.retryAfter = retryAfter;
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
        compileAll(modules);
        long compiled = System.nanoTime();
        while (!modules.isChanged() && !isTimeToRetry(modules, compiled)) {
          Thread.sleep(CHECK_MILLIS);
        }
        if (modules.isChanged()) {
          current = reopened(modules.generation() + 1);
          LOG.info("The folder of modules has changed");
        } else {
          // Until failed modules are compiled again, requests use what there is.
          OperatorModules next = modules.withoutRetryable(modules.generation() + 1);
          compileAll(next);
          current = next;
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isTimeToRetry(OperatorModules modules, long compiled) {
    return modules.hasRetryable() && System.nanoTime() - compiled > retryAfter.toNanos();
  }

  /** Waits for the folder if it is absent, since it may be replaced at this moment. */
  private OperatorModules reopened(long generation) throws InterruptedException {
    while (true) {
      try {
        return open(generation);
      } catch (IllegalArgumentException absent) {
        Thread.sleep(CHECK_MILLIS);
      }
    }
  }

  private static void compileAll(OperatorModules modules) throws InterruptedException {
    long reported = System.nanoTime();
    for (String name : modules.names()) {
      while (!tryCompile(modules, name)) {
        Thread.sleep(BUSY_MILLIS);
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

  /** Compiles a module and those that it requires; returns false if no compiler is free. */
  private static boolean tryCompile(OperatorModules modules, String name) {
    try {
      modules.prepare(List.of(name));
      return true;
    } catch (RefusedException busy) {
      return false;
    } catch (RuntimeException unexpected) {
      LOG.error("The module {} could not be compiled", name, unexpected);
      return true;
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
