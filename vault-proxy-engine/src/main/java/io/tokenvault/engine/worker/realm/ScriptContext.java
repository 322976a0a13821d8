package io.tokenvault.engine.worker.realm;

import io.tokenvault.engine.wire.FromWorker.Failing;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.TimeZone;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.mozilla.javascript.CompilerEnvirons;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ErrorReporter;
import org.mozilla.javascript.Evaluator;
import org.mozilla.javascript.EvaluatorException;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.debug.DebugFrame;
import org.mozilla.javascript.debug.DebuggableScript;
import org.mozilla.javascript.debug.Debugger;

/** Runs scripts: metered and without making code of text, or unmetered for our own. */
public final class ScriptContext extends Context {

  private static final int STACK_DEPTH = 1000;
  private static final int OBSERVED_INSTRUCTIONS = 10_000;

  /** What a reaction of a promise counts as: it runs natively, at times with no script at all. */
  private static final int MICROTASK_INSTRUCTIONS = 100;

  private static final int ENTRY_INSTRUCTIONS = 20;

  private final Deque<Runnable> microtasks = new ArrayDeque<>();
  private final UsageMeter meter;
  private long uncounted;

  public ScriptContext(ScriptContextFactory factory, UsageMeter meter) {
    super(factory);
    this.meter = meter;
    setLanguageVersion(VERSION_ES6);
    setInterpretedMode(true);
    setMaximumInterpreterStackDepth(STACK_DEPTH);
    setLocale(Locale.ROOT);
    setTimeZone(TimeZone.getTimeZone("UTC"));
    setClassShutter(name -> false);
    setErrorReporter(new Reporter());
    if (meter != null) {
      setInstructionObserverThreshold(OBSERVED_INSTRUCTIONS);
      setDebugger(new Entries(), null);
    }
  }

  @Override
  protected void observeInstructionCount(int instructions) {
    if (meter != null) {
      meter.count(instructions);
    }
  }

  @Override
  public void enqueueMicrotask(Runnable task) {
    microtasks.add(task);
  }

  /** Rhino calls this wherever it pleases; the loop runs them when the stack is empty. */
  @Override
  public void processMicrotasks() {}

  public void runMicrotasks(BooleanSupplier enough) {
    while (!enough.getAsBoolean()) {
      Runnable next = microtasks.poll();
      if (next == null) {
        return;
      }
      spend(MICROTASK_INSTRUCTIONS);
      next.run();
    }
  }

  /** Counts what the interpreter does not see. */
  public void spend(long instructions) {
    uncounted += instructions;
    if (meter != null && uncounted >= OBSERVED_INSTRUCTIONS) {
      meter.count(uncounted);
      uncounted = 0;
    }
  }

  /** All ways to make code of text end here: eval, Function and its kin. */
  @Override
  protected Object compileImpl(
      Scriptable scope,
      String source,
      String name,
      int line,
      Object securityDomain,
      boolean returnFunction,
      Evaluator compiler,
      ErrorReporter reporter,
      Consumer<CompilerEnvirons> environs) {
    if (meter != null) {
      throw ScriptRuntime.constructError(
          "EvalError", "Code generation from strings disallowed for this context");
    }
    return super.compileImpl(
        scope, source, name, line, securityDomain, returnFunction, compiler, reporter, environs);
  }

  /**
   * Counts entries into functions. The interpreter's own count sees jumps and calls of its own, so
   * it misses short functions that the engine calls natively, such as those of {@code Array.from}.
   */
  private final class Entries implements Debugger {
    @Override
    public DebugFrame getFrame(Context cx, DebuggableScript function) {
      spend(ENTRY_INSTRUCTIONS);
      return null;
    }
  }

  /** Makes one kind of error of all that Rhino reports beside those of the language. */
  private static final class Reporter implements ErrorReporter {

    private static final String TOO_DEEP = "Exceeded maximum stack depth";

    @Override
    public void warning(String text, String source, int line, String lineSource, int column) {}

    @Override
    public void error(String text, String source, int line, String lineSource, int column) {
      throw runtimeError(text, source, line, lineSource, column);
    }

    @Override
    public EvaluatorException runtimeError(
        String text, String source, int line, String lineSource, int column) {
      if (TOO_DEEP.equals(text)) {
        throw new LimitExceeded(Failing.STACK);
      }
      return new EvaluatorException(text, source, line, lineSource, column);
    }
  }
}
