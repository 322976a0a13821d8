package io.tokenvault.engine.worker.compile;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ContextFactory;
import org.mozilla.javascript.Script;

/**
 * Parser of the worker's own scripts, transforms and modules.
 *
 * <p>It has a thread of its own: the context of an invocation forbids parsing, and the limits of an
 * invocation do not count the work of other threads. The thread is started with the worker, which
 * may be at its limit of processes later.
 */
public final class ScriptParser {

  /** Sufficient for the deepest expressions that the compiler accepts. */
  private static final long STACK_BYTES = 16L << 20;

  private static final ContextFactory CONTEXTS = new Contexts();

  private static final ThreadPoolExecutor THREAD = started();

  private ScriptParser() {}

  private static ThreadPoolExecutor started() {
    ThreadFactory daemons =
        work -> {
          Thread thread = new Thread(null, work, "parser", STACK_BYTES);
          thread.setDaemon(true);
          return thread;
        };
    ThreadPoolExecutor parser =
        new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), daemons);
    parser.prestartCoreThread();
    return parser;
  }

  /**
   * Parses a script for the interpreter.
   *
   * @param name the name of the script in stack traces
   * @throws org.mozilla.javascript.RhinoException if it is not a script
   * @throws StackOverflowError if it is too deeply nested
   */
  public static Script parse(String source, String name) {
    try {
      return CompletableFuture.supplyAsync(() -> parsed(source, name), THREAD).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) e.getCause();
    }
  }

  private static Script parsed(String source, String name) {
    try (Context cx = CONTEXTS.enterContext()) {
      cx.setInterpretedMode(true);
      cx.setLanguageVersion(Context.VERSION_ES6);
      return cx.compileString(source, name, 1, null);
    }
  }

  /** Contexts for parsing, with the syntax of JavaScript only. */
  private static final class Contexts extends ContextFactory {
    @Override
    protected boolean hasFeature(Context context, int feature) {
      return feature != Context.FEATURE_E4X && super.hasFeature(context, feature);
    }
  }
}
