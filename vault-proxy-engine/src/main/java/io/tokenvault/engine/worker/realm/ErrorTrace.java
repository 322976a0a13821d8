package io.tokenvault.engine.worker.realm;

import io.tokenvault.engine.wire.FromWorker.Position;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.EvaluatorException;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.ScriptStackElement;

/** Where an error was made; kept with it where scripts cannot reach it. */
public final class ErrorTrace {

  /** The key of a trace among an object's associated values. */
  public static final String KEY = ErrorTrace.class.getName();

  /** How Rhino tells the place in texts of errors that it turns into rejections. */
  private static final Pattern LOCATED =
      Pattern.compile("(.*) \\(([^()#]*)#(\\d+)\\)", Pattern.DOTALL);

  private final RhinoException origin;
  private final String source;
  private final int line;
  private final boolean engine;

  private ErrorTrace(RhinoException origin, String source, int line, boolean engine) {
    this.origin = origin;
    this.source = source;
    this.line = line;
    this.engine = engine;
  }

  /** The scripts that run now. */
  static ErrorTrace here() {
    return new ErrorTrace(new EvaluatorException(""), "", 0, false);
  }

  public static ErrorTrace of(RhinoException origin) {
    return new ErrorTrace(origin, origin.sourceName(), origin.lineNumber(), false);
  }

  /** Of an error that the engine made. */
  static ErrorTrace engine(String source, int line) {
    return new ErrorTrace(null, source, line, true);
  }

  /** What a located text of the engine says, or null if it is none. */
  static Matcher located(String text) {
    Matcher matcher = LOCATED.matcher(text);
    return matcher.matches() ? matcher : null;
  }

  /** Whether the engine made the error, of whatever class. */
  public boolean isEngine() {
    return engine;
  }

  /**
   * The place in the operator's or the transform's own source that is nearest to where it was made.
   *
   * @param positions turns a name of a source and a line into a place; null for our own sources
   * @param constructors names of functions that only made the error
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

  /** The lines of a stack as Node.js writes them, those of our own sources left out. */
  String frames() {
    Object positions = Context.getCurrentContext().getThreadLocal(Sources.class);
    return positions instanceof Sources sources ? frames(sources) : "";
  }

  private String frames(Sources positions) {
    if (origin == null) {
      return frame(null, source, positions.position(source, line));
    }
    StringBuilder frames = new StringBuilder();
    for (ScriptStackElement frame : origin.getScriptStack()) {
      Position position = positions.position(frame.fileName, frame.lineNumber);
      frames.append(frame(frame.functionName, frame.fileName, position));
    }
    return frames.toString();
  }

  private static String frame(String function, String source, Position position) {
    if (position == null) {
      return "";
    }
    String place = source + ":" + position.line();
    boolean named = function != null && !function.isEmpty();
    return "\n    at " + (named ? function + " (" + place + ")" : place);
  }

  /** Which sources may be told; the context of a run knows those of its bundle by this class. */
  public interface Sources {
    /** Null if the source is ours. */
    Position position(String source, int line);
  }
}
