package io.tokenvault.engine.worker.realm;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.JavaScriptException;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.NativeObject;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/**
 * Progress of one call of an async function, whose body Babel has turned into numbered steps.
 *
 * <p>It is also the object that the body receives: the body reads and sets the number of the next
 * step ({@code n}) and that of the current region ({@code p}), reads the awaited value ({@code v}),
 * and calls {@code a} to return, break or continue, {@code f} at the end of a {@code finally}
 * block, and {@code d} to run the steps of a loop, which have variables of their own.
 */
final class AsyncSteps extends ScriptableObject {

  private static final long serialVersionUID = 1L;

  /** The ways in which the body continues, with the numbers of {@code a}. */
  static final int NEXT = 0;

  static final int THROW = 1;

  private static final int RETURN = 2;
  private static final int JUMP = 3;

  /** The step of a body that has ended. */
  private static final int END = -1;

  private final transient Functions functions;
  private final transient Callable body;
  private final transient Scriptable self;
  private final transient List<Region> regions;

  private transient Object next = 0;
  private transient Object region = 0;
  private transient Object sent = Undefined.instance;

  /** The way in which the body continues, and the value or step for that. */
  private transient int way = NEXT;

  private transient Object value = Undefined.instance;

  private transient boolean ended;

  /** The steps of a loop that run first; null for none. */
  private transient AsyncSteps loop;

  private AsyncSteps(Functions functions, Callable body, Scriptable self, List<Region> regions) {
    this.functions = functions;
    this.body = body;
    this.self = self;
    this.regions = regions;
  }

  /**
   * Creates the steps of a call.
   *
   * @param args the body, the function, {@code this} of the body, and the regions of its {@code
   *     try} statements, innermost first; the last two may be missing
   */
  static AsyncSteps of(Functions functions, Object[] args) {
    List<Region> regions = new ArrayList<>();
    if (HostFunction.argument(args, 3) instanceof NativeArray list) {
      for (Object each : list) {
        regions.add(new Region((NativeArray) each));
      }
    }
    Scriptable self =
        HostFunction.argument(args, 2) instanceof Scriptable given
            ? given
            : Undefined.SCRIPTABLE_UNDEFINED;
    return new AsyncSteps(functions, (Callable) args[0], self, regions);
  }

  /** Returns whether the function has returned. */
  boolean isEnded() {
    return ended;
  }

  /**
   * Runs the body until it awaits a value or returns one.
   *
   * @param how {@link #NEXT} with the value that was awaited, or {@link #THROW} with an error
   * @throws RhinoException if the body throws
   */
  Object run(Context cx, int how, Object given) {
    way = how;
    value = given;
    while (true) {
      if (loop == null) {
        enter();
        if (ScriptRuntime.toInt32(next) < 0) {
          ended = true;
          return value;
        }
      }
      try {
        Object result =
            loop == null ? body.call(cx, functions.realm, self, new Object[] {this}) : runLoop(cx);
        if (result != functions.again) {
          return result;
        }
      } catch (RhinoException e) {
        loop = null;
        way = THROW;
        value = thrown(cx, functions.realm, e);
      }
    }
  }

  private Object runLoop(Context cx) {
    Object result = loop.run(cx, way, value);
    if (!loop.ended) {
      return result;
    }
    loop = null;
    way = NEXT;
    value = result;
    return functions.again;
  }

  /** Runs the steps of a loop, and then the body with their result. */
  private Object delegate(AsyncSteps steps, Object after) {
    loop = steps;
    way = NEXT;
    value = Undefined.instance;
    next = after;
    return functions.again;
  }

  /** Prepares the next call of the body. */
  private void enter() {
    switch (way) {
      case NEXT -> sent = value;
      case JUMP, RETURN -> {
        // A block of another try statement around it may have to run before.
        next = way == JUMP ? value : END;
        continueAtHandler();
      }
      default -> {
        if (!continueAtHandler()) {
          throw new JavaScriptException(value, "", 0);
        }
      }
    }
  }

  /** Leaves the current region, unless one of its blocks has to run before. */
  private Object leave(int how, Object given) {
    way = how;
    value = given;
    continueAtHandler();
    return functions.again;
  }

  /** Continues after a {@code finally} block as if it had not run. */
  private Object finish(int block) {
    for (Region each : regions) {
      if (each.last == block) {
        way = each.way == NEXT ? JUMP : each.way;
        value = each.way == NEXT ? (Object) each.after : each.value;
        each.way = NEXT;
        each.value = null;
        break;
      }
    }
    return functions.again;
  }

  /**
   * Continues at the innermost {@code catch} or {@code finally} block that concerns the way.
   *
   * @return whether there is such a block; otherwise nothing changes
   */
  private boolean continueAtHandler() {
    int at = ScriptRuntime.toInt32(region);
    for (Region each : regions) {
      if (each.first > at) {
        continue;
      }
      if (way == THROW && at < each.handler) {
        sent = value;
        next = each.handler;
        way = NEXT;
        value = sent;
        return true;
      }
      if (at < each.last && (way != JUMP || each.isLeftFor(ScriptRuntime.toInt32(value)))) {
        each.way = way;
        each.value = value;
        next = each.last;
        way = NEXT;
        return true;
      }
    }
    return false;
  }

  /** Returns what a script catches. */
  static Object thrown(Context cx, Scriptable realm, RhinoException e) {
    if (e instanceof JavaScriptException thrown) {
      return thrown.getValue();
    }
    Scriptable error = ScriptRuntime.wrapException(e, realm, cx);
    // Rhino sets a property that is enumerable; the prototype has the same name.
    error.delete("name");
    return error;
  }

  @Override
  public String getClassName() {
    return "Object";
  }

  @Override
  public Object get(String name, Scriptable start) {
    return switch (name) {
      case "n" -> next;
      case "p" -> region;
      case "v" -> sent;
      case "a" -> functions.leave;
      case "f" -> functions.finish;
      case "d" -> functions.delegate;
      default -> NOT_FOUND;
    };
  }

  @Override
  public void put(String name, Scriptable start, Object changed) {
    switch (name) {
      case "n" -> next = changed;
      case "p" -> region = changed;
      default -> sent = changed;
    }
  }

  /** Functions shared by the steps of all calls in a realm; scripts may reach them. */
  static final class Functions {

    private final ScriptableObject realm;

    /** The value of a body that is to be called again. */
    private final Scriptable again = new NativeObject();

    private final Scriptable leave;
    private final Scriptable finish;
    private final Scriptable delegate;

    Functions(ScriptableObject realm) {
      this.realm = realm;
      leave =
          function(
              2,
              (steps, args) ->
                  steps.leave(ScriptRuntime.toInt32(args[0]), HostFunction.argument(args, 1)));
      finish = function(1, (steps, args) -> steps.finish(ScriptRuntime.toInt32(args[0])));
      delegate = function(2, (steps, args) -> steps.delegate((AsyncSteps) args[0], args[1]));
    }

    private Scriptable function(int arity, BiFunction<AsyncSteps, Object[], Object> body) {
      return HostFunction.named(
          realm, "", arity, (cx, scope, self, args) -> body.apply((AsyncSteps) self, args));
    }
  }

  /** Region of a {@code try} statement. A block that it does not have has the step -1. */
  private static final class Region {

    /** The first step. */
    private final int first;

    /** The step of the {@code catch} block. */
    private final int handler;

    /** The step of the {@code finally} block. */
    private final int last;

    /** The step behind the statement. */
    private final int after;

    /** The way in which the region was left for its {@code finally} block. */
    private int way = NEXT;

    private Object value;

    private Region(NativeArray steps) {
      first = step(steps, 0);
      handler = step(steps, 1);
      last = step(steps, 2);
      after = step(steps, 3);
    }

    private static int step(NativeArray steps, int index) {
      return steps.get(index, steps) instanceof Number step ? step.intValue() : -1;
    }

    /** Returns whether a jump to a step leaves the region. */
    private boolean isLeftFor(int step) {
      return first > step || step > last;
    }
  }
}
