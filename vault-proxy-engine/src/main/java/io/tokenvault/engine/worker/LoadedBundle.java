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

/** A bundle whose programs are parsed, for any number of realms. */
final class LoadedBundle implements ErrorTrace.Sources {

  /** The name of the transform itself in stacks; modules have their ids. */
  private static final String TRANSFORM = "transform";

  private static final String JSON = ".json";
  private static final String HEAD = "(function (exports, require, module) {";
  private static final String TAIL = "\n})";

  private final Unit entry;
  private final Map<String, Unit> modules;

  private LoadedBundle(Unit entry, Map<String, Unit> modules) {
    this.entry = entry;
    this.modules = modules;
  }

  /**
   * One program.
   *
   * @param script evaluates to the function that runs it; null for JSON
   * @param lines of the source
   */
  record Unit(String id, Script script, Program program, LineTable lines) {

    /** Null if the line is not of the source. */
    private Position position(int line) {
      int known = lines.source(line);
      return known > 0 ? new Position(id, known) : null;
    }
  }

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

  /** Null if there is none. */
  Unit module(String id) {
    return modules.get(id);
  }

  @Override
  public Position position(String source, int line) {
    if (source == null) {
      return null;
    }
    Unit unit = TRANSFORM.equals(source) ? entry : modules.get(source);
    return unit == null ? null : unit.position(line);
  }

  /** The engine cannot parse a program; the compiler should not have let it pass. */
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
