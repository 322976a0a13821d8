package io.tokenvault.engine.worker.realm;

import io.tokenvault.engine.wire.FromWorker.FailureKind;
import io.tokenvault.engine.worker.realm.UsageMeter.LimitExceeded;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.TimeZone;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.mozilla.javascript.CompilerEnvirons;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ContextFactory;
import org.mozilla.javascript.ErrorReporter;
import org.mozilla.javascript.Evaluator;
import org.mozilla.javascript.EvaluatorException;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.StackStyle;
import org.mozilla.javascript.debug.DebugFrame;
import org.mozilla.javascript.debug.DebuggableScript;

/**
 * Context of the interpreter.
 *
 * <p>A metered context counts the work of a transform and forbids the compilation of strings; an
 * unmetered one is for code of the worker. Used on one thread.
 */
public final class ScriptContext extends Context {

  /** The greatest depth of calls between functions of a script. */
  private static final int STACK_DEPTH = 1000;

  /** The number of instructions between two checks of the limits. */
  private static final int OBSERVED_INSTRUCTIONS = 10_000;

  /**
   * The instructions that a microtask counts as: it runs natively and sometimes without any script.
   */
  private static final int MICROTASK_INSTRUCTIONS = 100;

  /** The instructions that the entry into a function counts as. */
  private static final int ENTRY_INSTRUCTIONS = 20;

  private final Deque<Runnable> microtasks = new ArrayDeque<>();
  private final UsageMeter meter;

  /** The instructions that were counted here and not yet reported to the meter. */
  private long uncounted;

  /**
   * Creates a context.
   *
   * @param meter counts the work; null for an unmetered context
   */
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
      setDebugger(this::entered, null);
    }
  }

  /**
   * Reports interpreted instructions to the meter.
   *
   * @throws LimitExceeded if a limit is exceeded
   */
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

  /**
   * Does nothing. Rhino calls this method at any time; the event loop runs the microtasks when the
   * stack is empty.
   */
  @Override
  public void processMicrotasks() {}

  /**
   * Runs microtasks until there is none left.
   *
   * @param enough returns true in order to stop before that
   */
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

  /**
   * Counts work that the interpreter does not count, in instructions.
   *
   * @throws LimitExceeded if a limit is exceeded
   */
  public void spend(long instructions) {
    uncounted += instructions;
    if (meter != null && uncounted >= OBSERVED_INSTRUCTIONS) {
      meter.count(uncounted);
      uncounted = 0;
    }
  }

  /**
   * Rejects the compilation of strings in a metered context. {@code eval}, {@code Function} and
   * similar functions all call this method.
   */
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
   * Counts the entry into a function. The count of the interpreter includes jumps and its own
   * calls, so that it misses short functions that the engine calls natively, such as those passed
   * to {@code Array.from}.
   */
  private DebugFrame entered(Context cx, DebuggableScript function) {
    spend(ENTRY_INSTRUCTIONS);
    return null;
  }

  /**
   * Reporter that turns errors of Rhino, other than those of the language, into exceptions. A stack
   * overflow exceeds a limit of the invocation.
   */
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
        throw new LimitExceeded(FailureKind.STACK);
      }
      return new EvaluatorException(text, source, line, lineSource, column);
    }
  }

  /** Factory of contexts, configured to be as close to Node.js as Rhino's options allow. */
  public static final class ScriptContextFactory extends ContextFactory {

    /** Creates the factory, and sets the format of stacks for the whole process. */
    public ScriptContextFactory() {
      RhinoException.setStackStyle(StackStyle.V8);
    }

    /** Runs work of the worker itself, without limits. */
    public <T> T unmetered(Function<ScriptContext, T> work) {
      return metered(null, work);
    }

    /**
     * Runs work for a transform.
     *
     * @param meter counts the work; null for no limits
     * @throws LimitExceeded if a limit is exceeded
     */
    public <T> T metered(UsageMeter meter, Function<ScriptContext, T> work) {
      ScriptContext context = new ScriptContext(this, meter);
      enterContext(context);
      try {
        return work.apply(context);
      } finally {
        Context.exit();
      }
    }

    @Override
    protected boolean hasFeature(Context context, int feature) {
      return switch (feature) {
        // Realms define an accessor __proto__ like that of Node.js; __parent__ would expose scopes.
        case Context.FEATURE_PARENT_PROTO_PROPERTIES, Context.FEATURE_E4X -> false;
        case Context.FEATURE_LITTLE_ENDIAN -> true;
        default -> super.hasFeature(context, feature);
      };
    }
  }
}
