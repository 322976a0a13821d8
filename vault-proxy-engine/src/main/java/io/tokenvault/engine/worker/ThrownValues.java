package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.FromWorker.FailureKind;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.engine.wire.FromWorker.Thrown;
import io.tokenvault.engine.worker.node.NodeSurface.ThrownError;
import io.tokenvault.engine.worker.realm.ErrorTrace;
import io.tokenvault.engine.worker.realm.JsonWriter;
import io.tokenvault.engine.worker.realm.Realm;
import io.tokenvault.engine.worker.realm.ScriptContext;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.mozilla.javascript.BaseFunction;
import org.mozilla.javascript.JavaScriptException;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/**
 * Decides which information about a thrown value leaves the worker.
 *
 * <p>An error that the engine threw can quote data, so only its line is part of the outcome; for
 * values that the script threw on purpose, the message is. The name and message of any value are
 * reported beside the outcome, for dry runs and tests. Inspecting a value may run code of the
 * script, which may throw again.
 */
final class ThrownValues {

  private static final String NO_TEXT = "Transform failed";

  /** The greatest length of a reported message, in characters. */
  private static final int MAX_TEXT = 8192;

  private static final int MIN_STATUS = 400;
  private static final int MAX_STATUS = 599;
  private static final int DEFAULT_STATUS = 500;

  /** The greatest number of prototypes to inspect; a proxy can extend the chain endlessly. */
  private static final int MAX_PROTOTYPES = 100;

  private final ScriptContext cx;
  private final Realm realm;
  private final ErrorTrace.Sources sources;
  private final ResultReader results;

  /** The value that was inspected last; empty if none was, or if it has no name and message. */
  private Optional<Thrown> last = Optional.empty();

  ThrownValues(ScriptContext cx, Realm realm, ErrorTrace.Sources sources, ResultReader results) {
    this.cx = cx;
    this.realm = realm;
    this.sources = sources;
    this.results = results;
  }

  /** Kind of a thrown value. */
  private enum Family {
    /** An error of the engine, such as a {@code TypeError}. */
    ENGINE,
    /** An {@code Error} of the script, or of a subclass. */
    ERROR,
    /** Any other value. */
    OTHER
  }

  /** Returns the JavaScript value of an exception that has left the script. */
  Object value(RhinoException thrown) {
    if (thrown instanceof JavaScriptException exception) {
      return exception.getValue();
    }
    Scriptable caught = ScriptRuntime.newCatchScope(thrown, null, "e", cx, realm.global());
    return ScriptableObject.getProperty(caught, "e");
  }

  /**
   * Returns the outcome for an exception that has left the script.
   *
   * @param ofEngine the kind of failure to report for errors of the engine
   */
  Outcome outcome(RhinoException thrown, FailureKind ofEngine) {
    return outcome(value(thrown), ErrorTrace.of(thrown), ofEngine);
  }

  /**
   * Returns the outcome for a thrown value.
   *
   * @param seen the position at which it was thrown; null if that is not known
   * @param ofEngine the kind of failure to report for errors of the engine
   */
  Outcome outcome(Object value, ErrorTrace seen, FailureKind ofEngine) {
    last = described(value);
    try {
      return inspected(value, seen, ofEngine);
    } catch (RhinoException e) {
      return threw(DEFAULT_STATUS, NO_TEXT, position(value, seen, Set.of()));
    }
  }

  /** Inspects the value, which may run code of the script and throw. */
  private Outcome inspected(Object value, ErrorTrace seen, FailureKind ofEngine) {
    ThrownError describedError = realm.surface().describe(cx, realm.global(), value);
    if (describedError instanceof ThrownError.HttpResponse response) {
      last = Optional.empty();
      return results.thrownResponse(response);
    }
    Set<String> constructors = new HashSet<>();
    Family family = family(value, constructors);
    Position position = position(value, seen, constructors);
    if (describedError instanceof ThrownError.Refusal refusal) {
      String errors = JsonWriter.write(cx, realm.global(), refusal.errors(), length -> {});
      return new Outcome.ErrorThrown(status(refusal.status()), errors, position);
    }
    if (family == Family.ENGINE) {
      return new Outcome.Failed(ofEngine, position);
    }
    return threw(status(field(value, "status")), text(value, family), position);
  }

  private static Outcome threw(int status, String text, Position position) {
    return new Outcome.ErrorThrown(
        status, "{\"error\":[" + JsonWriter.quote(text) + "]}", position);
  }

  /**
   * Classifies a value by its prototypes.
   *
   * @param constructors receives the names of the constructors of the script's own error classes
   */
  private Family family(Object value, Set<String> constructors) {
    if (!(value instanceof Scriptable object)) {
      return Family.OTHER;
    }
    ErrorTrace trace = trace(value);
    if (trace != null && trace.isEngine()) {
      return Family.ENGINE;
    }
    Scriptable prototype = object.getPrototype();
    for (int i = 0; prototype != null && i < MAX_PROTOTYPES; i++) {
      if (realm.isEnginePrototype(prototype)) {
        return Family.ENGINE;
      }
      if (realm.isErrorPrototype(prototype)) {
        return Family.ERROR;
      }
      addConstructor(prototype, constructors);
      prototype = prototype.getPrototype();
    }
    return Family.OTHER;
  }

  /**
   * Adds the constructor of an error class. Its frames are skipped when the position at which an
   * error was created is determined.
   */
  private static void addConstructor(Scriptable prototype, Set<String> names) {
    Object constructor = prototype.get("constructor", prototype);
    if (constructor instanceof BaseFunction function) {
      String name = function.getFunctionName();
      if (name != null && !name.isEmpty()) {
        names.add(name);
      }
    }
  }

  private static ErrorTrace trace(Object value) {
    return value instanceof ScriptableObject object
            && object.getAssociatedValue(ErrorTrace.KEY) instanceof ErrorTrace trace
        ? trace
        : null;
  }

  /** Returns the position at which the value was created, or else thrown. */
  private Position position(Object value, ErrorTrace seen, Set<String> constructors) {
    ErrorTrace made = trace(value);
    Position position = made == null ? Position.UNKNOWN : made.position(sources, constructors);
    if (position.equals(Position.UNKNOWN) && seen != null) {
      return seen.position(sources, Set.of());
    }
    return position;
  }

  private static Object field(Object value, String name) {
    return value instanceof Scriptable object ? ScriptableObject.getProperty(object, name) : null;
  }

  /** Returns the status if it is an error status, and otherwise 500. */
  private static int status(Object status) {
    return status instanceof Number number
            && number.doubleValue() == number.intValue()
            && number.intValue() >= MIN_STATUS
            && number.intValue() <= MAX_STATUS
        ? number.intValue()
        : DEFAULT_STATUS;
  }

  /**
   * Returns the text that the script has thrown. A message that {@code assert} has written quotes
   * the values that it compared, which can be data, and is not returned.
   */
  private static String text(Object value, Family family) {
    Object text = family == Family.ERROR ? field(value, "message") : value;
    if (Boolean.TRUE.equals(field(value, "generatedMessage"))
        || !(text instanceof CharSequence characters)
        || characters.length() == 0) {
      return NO_TEXT;
    }
    return bounded(characters);
  }

  private static String bounded(CharSequence text) {
    String whole = text.toString();
    return whole.length() > MAX_TEXT ? whole.substring(0, MAX_TEXT) : whole;
  }

  /**
   * Returns the value that was inspected last, for the author of the script. What the result reader
   * could not send counts as thrown.
   */
  Optional<Thrown> last() {
    return last.or(results::problem);
  }

  /** Describes a value; empty if its properties throw. */
  private static Optional<Thrown> described(Object value) {
    try {
      String name = field(value, "name") instanceof CharSequence text ? bounded(text) : "";
      Object message = field(value, "message");
      return Optional.of(
          new Thrown(
              name,
              bounded(
                  message instanceof CharSequence text ? text : ScriptRuntime.toString(value))));
    } catch (RhinoException e) {
      return Optional.empty();
    }
  }
}
