package io.tokenvault.engine.worker.realm;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.LambdaConstructor;
import org.mozilla.javascript.LazilyLoadedCtor;
import org.mozilla.javascript.NativeObject;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.TopLevel;
import org.mozilla.javascript.Undefined;

/**
 * Global object whose errors behave as those of Node.js, and which creates rarely used standard
 * objects when they are first read, and corrects them then.
 *
 * <p>The errors of Rhino have additional enumerable properties, and reading the stack of an error
 * of a script's own class throws a Java exception that no script can catch. The constructors here
 * wrap those of Rhino, and each error is associated with its {@link ErrorTrace}.
 *
 * <p>Rhino would create most standard objects for each realm, since it looks up all constructors
 * once they are defined. That takes almost half of the time of a realm.
 */
public final class GlobalObject extends TopLevel {
  private static final long serialVersionUID = 1L;

  /** The constructors that Rhino looks up whenever it needs them, instead of once. */
  private static final Set<String> LOOKED_UP_BY_NAME =
      Set.of(
          ("DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array"
                  + " Int32Array Uint32Array BigInt64Array BigUint64Array Float32Array"
                  + " Float64Array")
              .split(" "));

  /** The constructors of the errors that the engine throws, which take a message first. */
  static final List<String> ENGINE_ERRORS =
      List.of(
          "EvalError RangeError ReferenceError SyntaxError TypeError URIError InternalError"
              .split(" "));

  /** The initial value of {@code Error.stackTraceLimit}. */
  private static final int STACK_TRACE_LIMIT = 10;

  /** Names of Java classes, of which the simple name is kept. */
  private static final Pattern CLASS =
      Pattern.compile(
          "(?:org\\.mozilla|io\\.tokenvault|java)\\.[\\w.]*?(?:Native)?([A-Z]\\w*)(?:@[0-9a-f]+)?");

  private final transient Map<String, Consumer<ScriptableObject>> corrections = new HashMap<>();

  /** Whether Rhino is looking up all constructors. */
  private transient boolean cachesConstructors;

  private transient LambdaConstructor error;

  /** Whether {@code Error.prepareStackTrace} is running. */
  private transient boolean preparing;

  /**
   * Corrects an object that Rhino creates when it is first read. One that a script has put in its
   * place before is left as it is.
   *
   * @param correction is passed the object of Rhino before the script sees it, and may define
   *     another in its place
   */
  void correct(String name, Consumer<ScriptableObject> correction) {
    corrections.merge(name, correction, Consumer::andThen);
  }

  @Override
  public Object get(String name, Scriptable start) {
    Consumer<ScriptableObject> correction = corrections.get(name);
    if (correction != null) {
      corrections.remove(name);
      return readFirstTime(name, start, correction);
    }
    return cachesConstructors && LOOKED_UP_BY_NAME.contains(name)
        ? NOT_FOUND
        : super.get(name, start);
  }

  private Object readFirstTime(
      String name, Scriptable start, Consumer<ScriptableObject> correction) {
    DescriptorInfo before = getOwnPropertyDescriptor(Context.getCurrentContext(), name);
    Object value = super.get(name, start);
    if (before != null && before.value instanceof LazilyLoadedCtor) {
      correction.accept((ScriptableObject) value);
      return super.get(name, start);
    }
    return value;
  }

  /**
   * Replaces the error constructors. Rhino calls this method last when it creates the standard
   * objects, and uses the constructors that are defined then.
   */
  @Override
  public void cacheBuiltins(Scriptable scope, boolean sealed) {
    error = replace("Error", 0, null);
    error.defineProperty("stackTraceLimit", STACK_TRACE_LIMIT, EMPTY);
    HostFunction.define(this, error, "captureStackTrace", 2, this::captureStackTrace);
    for (String name : ENGINE_ERRORS) {
      replace(name, 0, error);
    }
    replace("AggregateError", 1, error);
    cachesConstructors = true;
    super.cacheBuiltins(scope, sealed);
    cachesConstructors = false;
  }

  /**
   * Replaces an error constructor.
   *
   * @param message the position of the message among the arguments
   * @param parent the constructor from which this one inherits; null for {@code Error}
   */
  private LambdaConstructor replace(String name, int message, Scriptable parent) {
    Function original = (Function) get(name, this);
    ScriptableObject prototype = (ScriptableObject) original.get("prototype", original);
    LambdaConstructor constructor =
        new LambdaConstructor(
            this,
            name,
            message + 1,
            prototype,
            (cx, scope, self, args) ->
                withPrototype(make(cx, name, original, args, message), prototype),
            (cx, scope, args) -> make(cx, name, original, args, message));
    constructor.setPrototypePropertyAttributes(DONTENUM | READONLY | PERMANENT);
    if (parent != null) {
      constructor.setPrototype(parent);
    }
    deletePropertiesOfRhino(prototype);
    prototype.defineProperty("constructor", constructor, DONTENUM);
    defineProperty(this, name, constructor, DONTENUM);
    return constructor;
  }

  /** Deletes the properties of Rhino that Node.js does not have. */
  private static void deletePropertiesOfRhino(ScriptableObject prototype) {
    prototype.delete("fileName");
    prototype.delete("lineNumber");
    prototype.delete("toSource");
  }

  private static Scriptable withPrototype(Scriptable error, Scriptable prototype) {
    error.setPrototype(prototype);
    return error;
  }

  /** Creates an error and its trace. */
  private Scriptable make(Context cx, String name, Function original, Object[] args, int message) {
    Object[] wanted = Arrays.copyOf(args, Math.min(args.length, message + 1));
    ErrorTrace trace = located(name, wanted, args, message);
    Object options = HostFunction.argument(args, message + 1);
    if (options instanceof NativeObject) {
      wanted = Arrays.copyOf(wanted, message + 2);
      wanted[message + 1] = options;
    }
    ScriptableObject error =
        (ScriptableObject) original.construct(cx, original.getParentScope(), wanted);
    keep(error, trace == null ? ErrorTrace.here() : trace);
    return error;
  }

  /**
   * Returns the trace of an error that the engine creates; null for one that a script creates.
   *
   * <p>The engine passes the position in additional arguments or at the end of the message, from
   * which it is removed here.
   */
  private static ErrorTrace located(String name, Object[] wanted, Object[] args, int message) {
    if (args.length > message + 1 && args[message + 1] instanceof String source) {
      wanted[message] = withoutClasses(wanted[message]);
      int line = args.length > message + 2 ? ScriptRuntime.toInt32(args[message + 2]) : 0;
      return ErrorTrace.engine(source, line);
    }
    if (args.length == message + 1 && args[message] instanceof String text) {
      Matcher located = ErrorTrace.located(text);
      if (located != null) {
        wanted[message] = withoutClasses(withoutName(located.group(1), name));
        return ErrorTrace.engine(located.group(2), line(located.group(3)));
      }
    }
    return null;
  }

  private static String withoutName(String text, String name) {
    String prefix = name + ": ";
    return text.startsWith(prefix) ? text.substring(prefix.length()) : text;
  }

  /**
   * Replaces names of Java classes by lower-case simple names. The engine uses them in messages
   * about values that have no better name.
   */
  private static Object withoutClasses(Object text) {
    return text instanceof CharSequence characters
        ? CLASS.matcher(characters).replaceAll(match -> match.group(1).toLowerCase(Locale.ROOT))
        : text;
  }

  private static int line(String digits) {
    return digits.length() < 10 ? Integer.parseInt(digits) : 0;
  }

  /** Associates an error with its trace and defines its {@code stack}. */
  private void keep(ScriptableObject error, ErrorTrace trace) {
    error.associateValue(ErrorTrace.KEY, trace);
    Stack stack = new Stack(error, trace);
    error.defineProperty("stack", stack::text, stack::replace, DONTENUM);
  }

  private Object captureStackTrace(Context cx, Scriptable scope, Scriptable self, Object[] args) {
    if (!(HostFunction.argument(args, 0) instanceof ScriptableObject object)) {
      throw ScriptRuntime.typeError("Invalid argument");
    }
    keep(object, ErrorTrace.here());
    return Undefined.instance;
  }

  /**
   * Returns the value of {@code stack}, by the function {@code Error.prepareStackTrace} if a script
   * has set it.
   */
  private Object stack(ScriptableObject object, ErrorTrace trace) {
    if (preparing || !(getProperty(error, "prepareStackTrace") instanceof Function prepare)) {
      return header(object) + trace.text();
    }
    preparing = true;
    try {
      Context cx = Context.getCurrentContext();
      Scriptable sites = trace.callSites(cx, this);
      return prepare.call(cx, this, error, new Object[] {object, sites});
    } finally {
      preparing = false;
    }
  }

  /** Returns the first line of a stack. */
  private static String header(ScriptableObject error) {
    String name = text(error, "name", "Error");
    String message = text(error, "message", "");
    return message.isEmpty() ? name : name + ": " + message;
  }

  private static String text(ScriptableObject error, String name, String otherwise) {
    Object value = getProperty(error, name);
    return value instanceof CharSequence text ? text.toString() : otherwise;
  }

  /** Value of a {@code stack} property, built when it is first read. */
  private final class Stack {
    private final ScriptableObject error;
    private final ErrorTrace trace;
    private Object value;

    Stack(ScriptableObject error, ErrorTrace trace) {
      this.error = error;
      this.trace = trace;
    }

    Object text() {
      if (value == null) {
        value = stack(error, trace);
      }
      return value;
    }

    void replace(Object other) {
      value = other;
    }
  }
}
