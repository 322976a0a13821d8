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
  public static final String VERSION = "babel-7.29.13/15";

  /** The stack that the compiling thread needs. */
  public static final long STACK_BYTES = 64L * 1024 * 1024;

  private static final Flaw TOO_DEEP = new Flaw(1, 1, "The code is too deeply nested");

  /**
   * The greatest depth of interpreted calls, which use the heap and not the stack. No legitimate
   * source exceeds it.
   */
  private static final int MAX_DEPTH = 20_000;

  /**
   * The number of characters of modules that need Babel beyond which Babel is loaded again, as
   * bytecode of the JVM. That takes about as much time as lowering these; lowering then takes half
   * the time.
   */
  private static final int INTERPRETED_CHARACTERS = 40_000;

  private final List<String> errorModules;
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

  /**
   * The number of characters of modules that needed Babel, since the start or since the bytecode
   * compiler failed.
   */
  private long moduleCharacters;

  /** An equivalent compiler with Babel as bytecode; null up to {@link #INTERPRETED_CHARACTERS}. */
  private TransformCompiler bytecodeCompiler;

  private TransformCompiler(
      List<String> errorModules,
      ContextFactory rhino,
      ScriptableObject scope,
      Scriptable compiler,
      Scriptable regExps,
      Scriptable builtIns) {
    this.errorModules = errorModules;
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
      return load(errorModules, rhino, context, true);
    }
  }

  private static TransformCompiler load(
      List<String> errorModules, ContextFactory rhino, Context context, boolean interpreted) {
    ScriptableObject scope = context.initSafeStandardObjects();
    Loader loader = new Loader(context, scope, interpreted);
    loader.run("var self = this, console = {log() {}, warn() {}, error() {}};", "host");
    DeferredFunctions deferred = new DeferredFunctions(interpreted);
    scope.put("deferred", scope, new LambdaFunction(scope, 3, deferred::call));
    loader.run(text("babel.js"), "babel");
    Object babel = scope.get("Babel", scope);
    Object lowering = loader.part("lowering");
    Object texts = loader.run("(" + text("helpers.json") + ")", "helpers");
    Object helpers = loader.called("helpers", babel, lowering, texts);
    Object fidelity = loader.part("fidelity");
    Scriptable regExps = (Scriptable) loader.part("regexps");
    Object walk = loader.called("walk", regExps);
    Object checks = loader.called("checks", regExps);
    Object esModules = loader.called("esmodules", babel);
    Scriptable compiler =
        loader.called("compile", babel, lowering, walk, fidelity, checks, helpers, esModules);
    return new TransformCompiler(
        errorModules, rhino, scope, compiler, regExps, builtIns(context, scope, errorModules));
  }

  /** Enters a context without access to Java classes, for the interpreter. */
  private static Context enter(ContextFactory rhino) {
    Context context = rhino.enterContext();
    context.setLanguageVersion(Context.VERSION_ES6);
    context.setInterpretedMode(true);
    context.setMaximumInterpreterStackDepth(MAX_DEPTH);
    context.setClassShutter(name -> false);
    return context;
  }

  /** Compiles a script for the interpreter, or to bytecode of the JVM. */
  private static Script compileScript(
      Context context, String source, String name, boolean interpreted) {
    context.setInterpretedMode(interpreted);
    try {
      return context.compileString(source, name, 1, null);
    } finally {
      context.setInterpretedMode(true);
    }
  }

  /** Runs the scripts that a compiler consists of. */
  private record Loader(Context context, ScriptableObject scope, boolean interpreted) {

    Object run(String source, String name) {
      return compileScript(context, source, name, interpreted).exec(context, scope, scope);
    }

    /** Evaluates a script of the compiler. */
    Object part(String name) {
      return run(text(name + ".js"), name);
    }

    /** Evaluates a script of the compiler and calls the function that is its value. */
    Scriptable called(String part, Object... arguments) {
      return (Scriptable) ((Function) part(part)).call(context, scope, scope, arguments);
    }
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
      return compileInBytecode(context, request).orElseGet(() -> lowered(context, request));
    } catch (StackOverflowError e) {
      return new Refused(List.of(TOO_DEEP));
    } catch (RhinoException e) {
      return unsupported(1);
    }
  }

  private FromWorker lowered(Context context, ToWorker.Compile request) {
    Object[] arguments = {request.source(), request.module(), builtIns};
    Scriptable result = (Scriptable) compile.call(context, scope, scope, arguments);
    return result.get("flaws", result) instanceof NativeArray flaws
        ? new Refused(flaws(flaws))
        : parsed(context, result);
  }

  /**
   * Compiles by Babel as bytecode once there were many characters of modules. The interpreter finds
   * the flaws, and repeats what fails: its calls use less of the stack.
   *
   * @return empty if the interpreter has to compile it
   */
  private Optional<FromWorker> compileInBytecode(Context context, ToWorker.Compile request) {
    moduleCharacters += request.module() ? request.source().length() : 0;
    if (moduleCharacters <= INTERPRETED_CHARACTERS) {
      return Optional.empty();
    }
    try {
      if (bytecodeCompiler == null) {
        bytecodeCompiler = load(errorModules, rhino, context, false);
      }
      return Optional.of(bytecodeCompiler.lowered(context, request))
          .filter(Compiled.class::isInstance);
    } catch (LinkageError unusable) {
      // Java may lack the module jdk.dynalink.
      bytecodeCompiler = null;
      moduleCharacters = Long.MIN_VALUE;
      return Optional.empty();
    } catch (StackOverflowError | RuntimeException e) {
      // A part of Babel may have been left half loaded.
      bytecodeCompiler = null;
      moduleCharacters = 0;
      return Optional.empty();
    }
  }

  /** Returns whether Babel was loaded as bytecode. */
  boolean usesBytecode() {
    return bytecodeCompiler != null;
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
    String places = Context.toString(result.get("places", result));
    String code = LineTable.appended(Context.toString(result.get("code", result)), places);
    try {
      context.compileString("(function () {" + code + "\n})", "transform", 1, null);
    } catch (RhinoException e) {
      return unsupported(Math.max(1, LineTable.of(code).source(e.lineNumber())));
    } catch (NullPointerException | IllegalStateException | ClassCastException e) {
      return unsupported(1);
    }
    List<String> requires = new ArrayList<>();
    for (Object name : (NativeArray) result.get("requires", result)) {
      requires.add(Context.toString(name));
    }
    return new Compiled(code, requires);
  }

  /** Returns the flaw for code that Rhino cannot run. */
  private static Refused unsupported(int line) {
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
   * Functions of Babel that usual transforms do not need, and its large modules, as texts that are
   * parsed when they are first called. The build of the scripts has left calls of this function in
   * their places.
   */
  private static final class DeferredFunctions implements Callable {

    private final Map<Integer, Script> parsed = new HashMap<>();

    /** The texts of all functions; null until the first is called. */
    private String texts;

    private final boolean interpreted;

    DeferredFunctions(boolean interpreted) {
      this.interpreted = interpreted;
    }

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
      return compileScript(context, texts.substring(start, end), "babel", interpreted);
    }
  }
}
