package io.tokenvault.engine.worker.realm;

import io.tokenvault.engine.wire.FromWorker.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.EvaluatorException;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.ScriptStackElement;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/**
 * Position at which an error was created, associated with the error where scripts cannot reach it.
 */
public final class ErrorTrace {

  /** The key of the trace among the values that are associated with an error. */
  public static final String KEY = ErrorTrace.class.getName();

  /** The format in which Rhino adds the position to messages of errors that become rejections. */
  private static final Pattern LOCATED =
      Pattern.compile("(.*) \\(([^()#]*)#(\\d+)\\)", Pattern.DOTALL);

  /** The scripts on the stack at the creation; null if only the position is known. */
  private final RhinoException origin;

  private final String source;
  private final int line;

  /** Whether the engine created the error. */
  private final boolean engine;

  private ErrorTrace(RhinoException origin, String source, int line, boolean engine) {
    this.origin = origin;
    this.source = source;
    this.line = line;
    this.engine = engine;
  }

  /** Returns a trace of the scripts that are running. */
  static ErrorTrace here() {
    return new ErrorTrace(new EvaluatorException(""), "", 0, false);
  }

  public static ErrorTrace of(RhinoException origin) {
    return new ErrorTrace(origin, origin.sourceName(), origin.lineNumber(), false);
  }

  /** Returns the trace of an error that the engine created at the given position. */
  static ErrorTrace engine(String source, int line) {
    return new ErrorTrace(null, source, line, true);
  }

  /** Matches a message with a position: text, source and line; null if it has none. */
  static Matcher located(String text) {
    Matcher matcher = LOCATED.matcher(text);
    return matcher.matches() ? matcher : null;
  }

  /** Returns whether the engine created the error, whatever its class. */
  public boolean isEngine() {
    return engine;
  }

  /**
   * Returns the position in the source of the transform or of an operator's module that is nearest
   * to where the error was created.
   *
   * @param positions maps the lines of programs to positions in their sources; null for scripts of
   *     the surface
   * @param constructors the names of functions that only created the error, whose frames are
   *     skipped
   */
  public Position position(Sources positions, Set<String> constructors) {
    Position known = positions.position(source, line);
    if (origin == null || (known != null && constructors.isEmpty())) {
      return known == null ? Position.UNKNOWN : known;
    }
    Position nearest = null;
    for (ScriptStackElement frame : origin.getScriptStack()) {
      Position position = positions.position(frame.fileName, frame.lineNumber);
      if (frame.functionName != null && constructors.contains(frame.functionName)) {
        nearest = null;
      } else if (nearest == null) {
        nearest = position;
      }
    }
    return nearest != null ? nearest : known == null ? Position.UNKNOWN : known;
  }

  /** Returns the frames of a stack in the format of Node.js. */
  String text() {
    StringBuilder text = new StringBuilder();
    frames().forEach(frame -> text.append("\n    at ").append(frame));
    return text.toString();
  }

  /**
   * Returns the frames of a stack as an array of objects, which {@code Error.prepareStackTrace}
   * receives in Node.js. Packages use them to find out who calls them.
   */
  Scriptable callSites(Context cx, ScriptableObject realm) {
    return cx.newArray(realm, frames().stream().map(frame -> site(cx, realm, frame)).toArray());
  }

  private static Object site(Context cx, ScriptableObject realm, Frame frame) {
    Scriptable site = cx.newObject(realm);
    String function = frame.function().isEmpty() ? null : frame.function();
    int column = frame.position().column();
    define(realm, site, "getFileName", frame::source);
    define(realm, site, "getLineNumber", frame.position()::line);
    define(realm, site, "getColumnNumber", () -> column > 0 ? column : null);
    define(realm, site, "getFunctionName", () -> function);
    define(realm, site, "toString", frame::toString);
    for (String name : new String[] {"getTypeName", "getMethodName", "getPromiseIndex"}) {
      define(realm, site, name, () -> null);
    }
    for (String name : new String[] {"getThis", "getFunction", "getEvalOrigin"}) {
      define(realm, site, name, () -> Undefined.instance);
    }
    for (String name : new String[] {"isNative", "isEval", "isConstructor", "isAsync"}) {
      define(realm, site, name, () -> false);
    }
    define(realm, site, "isToplevel", () -> function == null);
    return site;
  }

  private static void define(
      ScriptableObject realm, Scriptable site, String name, Supplier<Object> value) {
    HostFunction.define(
        realm, (ScriptableObject) site, name, 0, (cx, scope, self, args) -> value.get());
  }

  /** Returns the frames of a stack, without scripts of the surface. */
  private List<Frame> frames() {
    List<Frame> frames = new ArrayList<>();
    if (Context.getCurrentContext().getThreadLocal(Sources.class) instanceof Sources sources) {
      if (origin == null) {
        add(frames, null, source, sources.position(source, line));
      } else {
        for (ScriptStackElement frame : origin.getScriptStack()) {
          Position position = sources.position(frame.fileName, frame.lineNumber);
          add(frames, frame.functionName, frame.fileName, position);
        }
      }
    }
    return frames;
  }

  private static void add(List<Frame> frames, String function, String source, Position position) {
    if (position != null) {
      frames.add(new Frame(function == null ? "" : function, source, position));
    }
  }

  /**
   * A frame in the transform or in an operator's module.
   *
   * @param function the name of the function; empty for none
   */
  private record Frame(String function, String source, Position position) {

    /** Returns the frame as a line of a stack shows it. */
    @Override
    public String toString() {
      String place = source + ":" + position.line();
      return function.isEmpty() ? place : function + " (" + place + ")";
    }
  }

  /**
   * Sources that may appear in stacks. The context of a run has those of its bundle as a thread
   * local with this class as the key.
   */
  public interface Sources {
    /** Returns the position of a line; null if it is not part of a bundle. */
    Position position(String source, int line);
  }
}
