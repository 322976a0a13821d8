package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.engine.wire.ToWorker.Program;
import io.tokenvault.engine.worker.compile.LineTable;
import io.tokenvault.engine.worker.compile.ScriptParser;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.Script;

/**
 * A program that is parsed once and then run in any number of realms.
 *
 * @param script evaluates to the function that runs the program; null for JSON
 * @param lines maps its lines to those of the source
 * @param flaw the position that the engine cannot parse, which the compiler should have rejected;
 *     null if it can
 */
record LoadedProgram(Program program, Script script, LineTable lines, Position flaw) {

  /** The name of the transform in stack traces; modules are named by their ids. */
  static final String TRANSFORM = "transform";

  private static final String JSON = ".json";

  /**
   * The start of the function that CommonJS wraps around a module; on the first line, so that line
   * numbers do not change.
   */
  private static final String HEAD =
      "(function (exports, require, module, __filename, __dirname) {";

  /** The start of an operator module, which has a minimal {@code process}. */
  private static final String MODULE_HEAD =
      "(function (exports, require, module, __filename, __dirname, process) {";

  private static final String TAIL = "\n})";

  static LoadedProgram parse(Program program) {
    LineTable lines = LineTable.of(program.code());
    if (program.id().endsWith(JSON)) {
      return new LoadedProgram(program, null, lines, null);
    }
    boolean module = !program.id().isEmpty();
    String source = (module ? MODULE_HEAD : HEAD) + program.code() + TAIL;
    try {
      Script script = ScriptParser.parse(source, module ? program.id() : TRANSFORM);
      return new LoadedProgram(program, script, lines, null);
    } catch (RhinoException e) {
      Position flaw = new Position(program.id(), lines.source(e.lineNumber()));
      return new LoadedProgram(program, null, lines, flaw);
    } catch (StackOverflowError e) {
      return new LoadedProgram(program, null, lines, new Position(program.id(), 0));
    }
  }

  /** Returns the id of the module; empty for the transform. */
  String id() {
    return program.id();
  }

  /** Returns the position in the source; null if the line was added by the compiler. */
  Position position(int line) {
    int known = lines.source(line);
    return known > 0 ? new Position(id(), known, lines.column(line)) : null;
  }
}
