package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.engine.wire.ToWorker.Bundle;
import io.tokenvault.engine.wire.ToWorker.Program;
import io.tokenvault.engine.worker.compile.LineTable;
import io.tokenvault.engine.worker.realm.ErrorTrace;
import io.tokenvault.engine.worker.realm.HostFunction;
import io.tokenvault.engine.worker.realm.Realm;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.Script;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/** A bundle whose programs are parsed once and then run in any number of realms. */
final class LoadedBundle implements ErrorTrace.Sources {

  /** The name of the transform in stack traces; modules are named by their ids. */
  private static final String TRANSFORM = "transform";

  private static final String JSON = ".json";

  /**
   * The start of the function that CommonJS wraps around a module; on the first line, so that line
   * numbers do not change.
   */
  private static final String HEAD = "(function (exports, require, module) {";

  private static final String TAIL = "\n})";

  private final Unit entry;
  private final Map<String, Unit> modules;

  private LoadedBundle(Unit entry, Map<String, Unit> modules) {
    this.entry = entry;
    this.modules = modules;
  }

  /**
   * A parsed program.
   *
   * @param id the id of the module; empty for the transform
   * @param script evaluates to the function that runs the program; null for JSON
   * @param program the program as it was received
   * @param lines maps its lines to those of the source
   */
  record Unit(String id, Script script, Program program, LineTable lines) {

    /** Returns the position in the source; null if the line was added by the compiler. */
    private Position position(int line) {
      int known = lines.source(line);
      return known > 0 ? new Position(id, known, lines.column(line)) : null;
    }
  }

  /**
   * Parses all programs of a bundle.
   *
   * @throws Unparsable if the engine cannot parse one of them
   */
  static LoadedBundle parse(Context cx, Bundle bundle) throws Unparsable {
    Map<String, Unit> modules = new LinkedHashMap<>();
    for (Map.Entry<String, Program> module : bundle.modules().entrySet()) {
      modules.put(module.getKey(), unit(cx, module.getKey(), module.getKey(), module.getValue()));
    }
    return new LoadedBundle(unit(cx, "", TRANSFORM, bundle.entry()), modules);
  }

  private static Unit unit(Context cx, String id, String source, Program program)
      throws Unparsable {
    LineTable lines = LineTable.of(program.code());
    if (id.endsWith(JSON)) {
      return new Unit(id, null, program, lines);
    }
    try {
      Script script = cx.compileString(HEAD + program.code() + TAIL, source, 1, null);
      return new Unit(id, script, program, lines);
    } catch (RhinoException e) {
      throw new Unparsable(new Position(id, lines.source(e.lineNumber())));
    } catch (StackOverflowError e) {
      throw new Unparsable(new Position(id, 0));
    }
  }

  Unit entry() {
    return entry;
  }

  /** Returns a module; null if there is none with this id. */
  Unit module(String id) {
    return modules.get(id);
  }

  /** Returns the position in a source; null if it is not part of this bundle. */
  @Override
  public Position position(String source, int line) {
    if (source == null) {
      return null;
    }
    Unit unit = TRANSFORM.equals(source) ? entry : modules.get(source);
    return unit == null ? null : unit.position(line);
  }

  /** The engine cannot parse a program, which the compiler should have rejected. */
  static final class Unparsable extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Position position;

    Unparsable(Position position) {
      super("a program cannot be parsed", null, false, false);
      this.position = position;
    }

    Position position() {
      return position;
    }
  }

  /**
   * CommonJS module loader of one realm. A module runs once; in a cycle it sees what the other
   * module has exported so far.
   */
  static final class ModuleLoader {

    private final Realm realm;
    private final LoadedBundle bundle;

    /** The module objects by id, including those that are still running. */
    private final Map<String, Scriptable> loaded = new HashMap<>();

    ModuleLoader(Realm realm, LoadedBundle bundle) {
      this.realm = realm;
      this.bundle = bundle;
    }

    /**
     * Runs the transform and returns the function that it exports, directly or as {@code default};
     * null if there is none.
     */
    Callable exportedFunction(Context cx) {
      Object exports = run(cx, bundle.entry(), newModule(cx));
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

    private Scriptable newModule(Context cx) {
      Scriptable module = cx.newObject(realm.global());
      module.put("exports", module, cx.newObject(realm.global()));
      return module;
    }

    /** Runs a program and returns its {@code module.exports}. */
    private Object run(Context cx, Unit unit, Scriptable module) {
      Scriptable global = realm.global();
      Callable body = (Callable) unit.script().exec(cx, global, global);
      Object exports = ScriptableObject.getProperty(module, "exports");
      body.call(cx, global, (Scriptable) exports, new Object[] {exports, require(unit), module});
      return ScriptableObject.getProperty(module, "exports");
    }

    /** Returns the {@code require} function for a program. */
    private Function require(Unit from) {
      return HostFunction.named(
          realm.global(),
          "require",
          1,
          (cx, scope, self, args) -> require(cx, from, HostFunction.argument(args, 0)));
    }

    /** Returns the exports of a module of the bundle, or else of a built-in module. */
    private Object require(Context cx, Unit from, Object name) {
      if (!(name instanceof CharSequence text)) {
        throw ScriptRuntime.typeError("The \"id\" argument must be of type string");
      }
      String id = from.program().resolutions().get(text.toString());
      Unit unit = id == null ? null : bundle.module(id);
      if (unit != null) {
        return exports(cx, unit);
      }
      Object builtin = realm.surface().module(cx, realm.global(), text.toString());
      if (builtin == null) {
        throw realm.newError(cx, unknown(from), "MODULE_NOT_FOUND");
      }
      return builtin;
    }

    /** Returns an error message that lists the available modules but does not quote the name. */
    private String unknown(Unit from) {
      String builtins = String.join(", ", new TreeSet<>(realm.surface().builtins()));
      String resolved = String.join(", ", new TreeSet<>(from.program().resolutions().keySet()));
      return "Cannot find module. Built in: "
          + builtins
          + "."
          + (resolved.isEmpty() ? "" : " Found when this was saved: " + resolved + ".");
    }

    /** Returns the exports of a module, running it on first use; one that throws will run again. */
    private Object exports(Context cx, Unit unit) {
      Scriptable known = loaded.get(unit.id());
      if (known != null) {
        return ScriptableObject.getProperty(known, "exports");
      }
      Scriptable module = newModule(cx);
      loaded.put(unit.id(), module);
      try {
        return unit.script() == null ? json(cx, unit, module) : run(cx, unit, module);
      } catch (RhinoException e) {
        loaded.remove(unit.id());
        throw e;
      }
    }

    private Object json(Context cx, Unit unit, Scriptable module) {
      Object value = RealmJson.parse(cx, realm.global(), unit.program().code());
      module.put("exports", module, value);
      return value;
    }
  }
}
