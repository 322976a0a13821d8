package io.tokenvault.engine.worker.compile;

import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.FromWorker.Compiled;
import io.tokenvault.engine.wire.FromWorker.Flaw;
import io.tokenvault.engine.wire.FromWorker.Refused;
import io.tokenvault.engine.wire.ToWorker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ContextFactory;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.Script;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/**
 * Compiler from JavaScript for Node.js to JavaScript that Rhino runs with the same meaning.
 *
 * <p>The output is the body of a function with the parameters {@code exports}, {@code require} and
 * {@code module}, followed by a {@link LineTable}.
 *
 * <p>An instance needs a stack of {@link #STACK_BYTES} and must be used by one thread at a time. A
 * hostile source can keep it busy for long or use up the heap, so the process that runs it must be
 * limited from the outside.
 *
 * <pre>{@code
 * TransformCompiler compiler = TransformCompiler.load(List.of());
 * FromWorker result = compiler.compile(new ToWorker.Compile(source, false, 10_000));
 * }</pre>
 */
public final class TransformCompiler {

  /** The version of Babel and of our settings. Programs of another version are compiled again. */
  public static final String VERSION = "babel-7.29.13/8";

  /** The stack that the compiling thread needs. */
  public static final long STACK_BYTES = 64L * 1024 * 1024;

  private static final Flaw TOO_DEEP = new Flaw(1, 1, "The code is too deeply nested");

  /**
   * The greatest depth of interpreted calls, which use the heap and not the stack. No legitimate
   * source exceeds it.
   */
  private static final int MAX_DEPTH = 20_000;

  private final ContextFactory rhino;
  private final ScriptableObject scope;

  /** The function that compiles a source. */
  private final Function compile;

  /** The function that generates the resource of helpers, used by a test. */
  private final Function remadeHelpers;

  /** The functions that adapt regular expressions. */
  private final Scriptable regExps;

  /** The built-in modules, as the property names of an object. */
  private final Scriptable builtIns;

  private TransformCompiler(
      ContextFactory rhino,
      ScriptableObject scope,
      Scriptable compiler,
      Scriptable regExps,
      Scriptable builtIns) {
    this.rhino = rhino;
    this.scope = scope;
    this.compile = (Function) compiler.get("compile", compiler);
    Scriptable helpers = (Scriptable) compiler.get("helpers", compiler);
    this.remadeHelpers = (Function) helpers.get("remade", helpers);
    this.regExps = regExps;
    this.builtIns = builtIns;
  }

  /**
   * Loads Babel into a new scope, which takes seconds.
   *
   * @param errorModules additional names of the module {@code vault-errors}
   */
  public static TransformCompiler load(List<String> errorModules) {
    ContextFactory rhino = new ContextFactory();
    try (Context context = enter(rhino)) {
      ScriptableObject scope = context.initSafeStandardObjects();
      run(context, scope, "var self = this, console = {log() {}, warn() {}, error() {}};", "host");
      scope.put("deferred", scope, new LambdaFunction(scope, 3, new DeferredFunctions()::call));
      run(context, scope, text("babel.js"), "babel");
      Object babel = scope.get("Babel", scope);
      Object lowering = part(context, scope, "lowering");
      Object texts = run(context, scope, "(" + text("helpers.json") + ")", "helpers");
      Object helpers = called(context, scope, "helpers", babel, lowering, texts);
      Object fidelity = part(context, scope, "fidelity");
      Scriptable regExps = (Scriptable) part(context, scope, "regexps");
      Object walk = called(context, scope, "walk", regExps);
      Object checks = called(context, scope, "checks", regExps);
      Object esModules = called(context, scope, "esmodules", babel);
      Scriptable compiler =
          called(
              context, scope, "compile", babel, lowering, walk, fidelity, checks, helpers,
              esModules);
      return new TransformCompiler(
          rhino, scope, compiler, regExps, builtIns(context, scope, errorModules));
    }
  }

  /** Enters a context without access to Java classes. */
  private static Context enter(ContextFactory rhino) {
    Context context = rhino.enterContext();
    context.setLanguageVersion(Context.VERSION_ES6);
    context.setInterpretedMode(true);
    context.setMaximumInterpreterStackDepth(MAX_DEPTH);
    context.setClassShutter(name -> false);
    return context;
  }

  private static Object run(Context context, Scriptable scope, String source, String name) {
    return context.evaluateString(scope, source, name, 1, null);
  }

  /** Evaluates a script of the compiler. */
  private static Object part(Context context, Scriptable scope, String name) {
    return run(context, scope, text(name + ".js"), name);
  }

  /** Evaluates a script of the compiler and calls the function that is its value. */
  private static Scriptable called(
      Context context, Scriptable scope, String part, Object... arguments) {
    Function function = (Function) part(context, scope, part);
    return (Scriptable) function.call(context, scope, scope, arguments);
  }

  private static String text(String name) {
    return ScriptResources.text(TransformCompiler.class, name);
  }

  private static Scriptable builtIns(Context context, Scriptable scope, List<String> errorModules) {
    ScriptableObject known = (ScriptableObject) context.newObject(scope);
    known.setPrototype(null);
    BuiltInModules.names(errorModules).forEach(name -> known.put(name, known, true));
    return known;
  }

  /** Returns the expected text of the resource of helpers; a test compares the two. */
  String remadeHelpers() {
    try (Context context = enter(rhino)) {
      return Context.toString(remadeHelpers.call(context, scope, scope, ScriptRuntime.emptyArgs));
    }
  }

  /**
   * Compiles a source.
   *
   * @param request the source; its CPU time limit is not enforced here
   * @return {@link FromWorker.Compiled}, or {@link FromWorker.Refused} with the flaws of the source
   */
  public FromWorker compile(ToWorker.Compile request) {
    try (Context context = enter(rhino)) {
      Optional<FromWorker> plain =
          request.module() ? plain(context, request.source()) : Optional.empty();
      if (plain.isPresent()) {
        return plain.get();
      }
      Object[] arguments = {request.source(), request.module(), builtIns};
      Scriptable result = (Scriptable) compile.call(context, scope, scope, arguments);
      if (result.get("flaws", result) instanceof NativeArray flaws) {
        return new Refused(flaws(flaws));
      }
      return parsed(context, result);
    } catch (StackOverflowError e) {
      return new Refused(List.of(TOO_DEEP));
    } catch (RhinoException e) {
      return unfit(1);
    }
  }

  /** Compiles a module that needs no lowering. */
  private Optional<FromWorker> plain(Context context, String source) {
    Optional<PlainScript.Plain> plain =
        PlainScript.of(source, (pattern, flags) -> plainPattern(context, pattern, flags));
    return plain
        .filter(script -> isParsable(context, script.code()))
        .map(
            script ->
                new Compiled(
                    script.code(),
                    script.requires().stream()
                        .filter(name -> !builtIns.has(name, builtIns))
                        .toList()));
  }

  private static boolean isParsable(Context context, String code) {
    try {
      context.compileString("(function () {" + code + "\n})", "module", 1, null);
      return true;
    } catch (RhinoException
        | NullPointerException
        | IllegalStateException
        | ClassCastException
        | StackOverflowError e) {
      return false;
    }
  }

  /** Returns the pattern for Rhino; null if Babel has to decide. */
  private String plainPattern(Context context, String pattern, String flags) {
    Object[] arguments = {pattern, flags};
    Function plain = (Function) regExps.get("plain", regExps);
    Object adapted = plain.call(context, scope, scope, arguments);
    return adapted == null ? null : Context.toString(adapted);
  }

  /** Parses the output, since code that Rhino cannot parse would fail in every invocation. */
  private static FromWorker parsed(Context context, Scriptable result) {
    int[] lines = numbers((NativeArray) result.get("lines", result));
    int[] columns = numbers((NativeArray) result.get("columns", result));
    String code = LineTable.appended(Context.toString(result.get("code", result)), lines, columns);
    try {
      context.compileString("(function () {" + code + "\n})", "transform", 1, null);
    } catch (RhinoException e) {
      return unfit(Math.max(1, LineTable.of(code).source(e.lineNumber())));
    } catch (NullPointerException | IllegalStateException | ClassCastException e) {
      return unfit(1);
    }
    List<String> requires = new ArrayList<>();
    for (Object name : (NativeArray) result.get("requires", result)) {
      requires.add(Context.toString(name));
    }
    return new Compiled(code, requires);
  }

  private static int[] numbers(NativeArray array) {
    int[] numbers = new int[array.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = (int) Context.toNumber(array.get(i));
    }
    return numbers;
  }

  /** Returns the flaw for code that Rhino cannot run. */
  private static Refused unfit(int line) {
    return new Refused(List.of(new Flaw(line, 1, "This syntax is not supported; rewrite it")));
  }

  private static List<Flaw> flaws(NativeArray found) {
    List<Flaw> flaws = new ArrayList<>();
    for (Object each : found) {
      Scriptable flaw = (Scriptable) each;
      flaws.add(
          new Flaw(
              (int) Context.toNumber(flaw.get("line", flaw)),
              (int) Context.toNumber(flaw.get("column", flaw)),
              Context.toString(flaw.get("message", flaw))));
    }
    return flaws;
  }

  /**
   * Functions of Babel that usual transforms do not need, as texts that are parsed when they are
   * first called. The build of the scripts has left calls of this function in their places.
   */
  private static final class DeferredFunctions implements Callable {

    private final Map<Integer, Script> parsed = new HashMap<>();

    /** The texts of all functions; null until the first is called. */
    private String texts;

    /**
     * Returns a function.
     *
     * @param arguments the start and end of its text, and any function that was created in its
     *     scope
     */
    @Override
    public Object call(Context context, Scriptable scope, Scriptable self, Object[] arguments) {
      int start = ((Number) arguments[0]).intValue();
      int end = ((Number) arguments[1]).intValue();
      Script script = parsed.computeIfAbsent(start, at -> parsed(context, at, end));
      return script.exec(context, ((Function) arguments[2]).getParentScope(), scope);
    }

    private Script parsed(Context context, int start, int end) {
      if (texts == null) {
        texts = text("babel-deferred.txt");
      }
      return context.compileString(texts.substring(start, end), "babel", 1, null);
    }
  }
}
