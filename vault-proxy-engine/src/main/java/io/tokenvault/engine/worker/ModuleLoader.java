package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.FromWorker.FailureKind;
import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.engine.worker.Invocation.HostCalls;
import io.tokenvault.engine.worker.realm.ErrorTrace;
import io.tokenvault.engine.worker.realm.HostFunction;
import io.tokenvault.engine.worker.realm.Realm;
import io.tokenvault.engine.worker.realm.UsageMeter;
import io.tokenvault.engine.worker.realm.UsageMeter.LimitExceeded;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/**
 * CommonJS module loader of one realm. A module runs once; in a cycle it sees what the other module
 * has exported so far.
 */
final class ModuleLoader implements ErrorTrace.Sources {

  /** The greatest length of a name, in characters; a longer one is not looked up. */
  private static final int MAX_NAME = 1024;

  private final Realm realm;
  private final LoadedProgram transform;
  private final ModuleStore modules;
  private final UsageMeter meter;
  private final HostCalls server;

  /** The module objects by id, including those that are still running. */
  private final Map<String, Scriptable> loaded = new HashMap<>();

  ModuleLoader(
      Realm realm,
      LoadedProgram transform,
      ModuleStore modules,
      UsageMeter meter,
      HostCalls server) {
    this.realm = realm;
    this.transform = transform;
    this.modules = modules;
    this.meter = meter;
    this.server = server;
  }

  /** Returns the position in a source; null if it is not that of the transform or of a module. */
  @Override
  public Position position(String source, int line) {
    if (source == null) {
      return null;
    }
    LoadedProgram program =
        LoadedProgram.TRANSFORM.equals(source) ? transform : modules.get(source);
    return program == null ? null : program.position(line);
  }

  /**
   * Runs the transform and returns the function that it exports, directly or as {@code default};
   * null if there is none.
   */
  Callable exportedFunction(Context cx) {
    Object exports = run(cx, transform, newModule(cx, transform));
    if (isFunction(exports)) {
      return (Callable) exports;
    }
    Object byDefault =
        exports instanceof Scriptable object
            ? ScriptableObject.getProperty(object, "default")
            : null;
    return isFunction(byDefault) ? (Callable) byDefault : null;
  }

  private static boolean isFunction(Object value) {
    return value instanceof Callable && "function".equals(ScriptRuntime.typeof(value));
  }

  private Scriptable newModule(Context cx, LoadedProgram program) {
    Scriptable module = cx.newObject(realm.global());
    module.put("exports", module, cx.newObject(realm.global()));
    if (!program.id().isEmpty()) {
      module.put("id", module, path(program));
      module.put("filename", module, path(program));
      module.put("loaded", module, false);
    }
    return module;
  }

  /** Returns the path by which a program knows itself; it says nothing about this machine. */
  private static String path(LoadedProgram program) {
    return "/" + (program.id().isEmpty() ? LoadedProgram.TRANSFORM + ".js" : program.id());
  }

  /** Runs a program and returns its {@code module.exports}. */
  private Object run(Context cx, LoadedProgram program, Scriptable module) {
    Scriptable global = realm.global();
    Callable body = (Callable) program.script().exec(cx, realm.programs(), global);
    Object exports = ScriptableObject.getProperty(module, "exports");
    String path = path(program);
    String folder = path.substring(0, Math.max(1, path.lastIndexOf('/')));
    Function require = require(program);
    Object[] arguments =
        program.id().isEmpty()
            ? new Object[] {exports, require, module, path, folder}
            : new Object[] {
              exports, require, module, path, folder, realm.surface().process(cx, global)
            };
    body.call(cx, global, (Scriptable) exports, arguments);
    return ScriptableObject.getProperty(module, "exports");
  }

  private Function require(LoadedProgram from) {
    return HostFunction.named(
        realm.global(),
        "require",
        1,
        (cx, scope, self, args) -> require(cx, from, HostFunction.argument(args, 0)));
  }

  /**
   * Returns the exports of a built-in module, or else of an operator module. Operator modules also
   * find what is not available, since many packages need it for some functions only.
   */
  private Object require(Context cx, LoadedProgram from, Object name) {
    if (!(name instanceof CharSequence text)) {
      throw ScriptRuntime.typeError("The \"id\" argument must be of type string");
    }
    Object builtin = realm.surface().module(cx, realm.global(), text.toString());
    if (builtin != null) {
      return builtin;
    }
    Optional<LoadedProgram> found = find(from, text.toString());
    if (found.isPresent()) {
      return exports(cx, found.get());
    }
    Object unavailable =
        from.id().isEmpty()
            ? null
            : realm.surface().unavailableModule(cx, realm.global(), text.toString(), require(from));
    if (unavailable == null) {
      throw realm.newError(cx, unknown(from, text.toString()), "MODULE_NOT_FOUND");
    }
    return unavailable;
  }

  private Optional<LoadedProgram> find(LoadedProgram from, String name) {
    Optional<LoadedProgram> found = Optional.empty();
    if (!name.isEmpty() && name.length() <= MAX_NAME) {
      found = modules.find(from, name, server, meter.wallNanosLeft());
    }
    if (found.isPresent() && found.get().flaw() != null) {
      Position at = found.get().flaw();
      throw ScriptRuntime.constructError(
          "SyntaxError", "The engine cannot parse " + at.module() + ":" + at.line());
    }
    if (found.isEmpty() && meter.wallNanosLeft() <= 0) {
      throw new LimitExceeded(FailureKind.WALL_TIME);
    }
    return found;
  }

  /**
   * Returns the message of Node.js. It has the name only if that is a literal of the code: a
   * computed one could be data of a request.
   */
  private static String unknown(LoadedProgram from, String name) {
    String code = from.program().code();
    boolean literal = code.contains("'" + name + "'") || code.contains("\"" + name + "\"");
    String message = literal ? "Cannot find module '" + name + "'" : "Cannot find module";
    return from.id().isEmpty() ? message : message + "\nRequire stack:\n- " + from.id();
  }

  /** Returns the exports of a module, running it on first use; one that throws will run again. */
  private Object exports(Context cx, LoadedProgram program) {
    Scriptable known = loaded.get(program.id());
    if (known != null) {
      return ScriptableObject.getProperty(known, "exports");
    }
    Scriptable module = newModule(cx, program);
    loaded.put(program.id(), module);
    try {
      Object exports =
          program.script() == null ? json(cx, program, module) : run(cx, program, module);
      module.put("loaded", module, true);
      return exports;
    } catch (RhinoException e) {
      loaded.remove(program.id());
      throw e;
    }
  }

  private Object json(Context cx, LoadedProgram program, Scriptable module) {
    Object value = realm.parseJson(cx, program.program().code());
    module.put("exports", module, value);
    return value;
  }
}
