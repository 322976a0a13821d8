package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.engine.wire.ToWorker.Bundle;
import io.tokenvault.engine.wire.ToWorker.Program;
import io.tokenvault.engine.worker.compile.LineTable;
import io.tokenvault.engine.worker.realm.ErrorTrace;
import java.util.LinkedHashMap;
import java.util.Map;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.Script;

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
      return known > 0 ? new Position(id, known) : null;
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
}
