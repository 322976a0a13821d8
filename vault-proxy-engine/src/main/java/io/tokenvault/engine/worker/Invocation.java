package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker.ConsoleLine;
import io.tokenvault.engine.wire.FromWorker.FailureKind;
import io.tokenvault.engine.wire.FromWorker.Finished;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.engine.wire.ToWorker.Invoke;
import io.tokenvault.engine.wire.ToWorker.Provided;
import io.tokenvault.engine.wire.ToWorker.Reply;
import io.tokenvault.engine.worker.node.script.RealmServices;
import io.tokenvault.engine.worker.realm.ErrorTrace;
import io.tokenvault.engine.worker.realm.HostFunction;
import io.tokenvault.engine.worker.realm.Realm;
import io.tokenvault.engine.worker.realm.ScriptContext;
import io.tokenvault.engine.worker.realm.ScriptContext.ScriptContextFactory;
import io.tokenvault.engine.worker.realm.Timers;
import io.tokenvault.engine.worker.realm.UsageMeter;
import io.tokenvault.engine.worker.realm.UsageMeter.LimitExceeded;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.Undefined;

/**
 * One run of a transform in a new realm, with the event loop for its promises, timers and calls.
 *
 * <p>Used once and on one thread.
 */
final class Invocation implements RealmServices {

  /** The time of one interpreted instruction, in units of work. */
  private static final long UNITS_PER_INSTRUCTION = 8;

  private final Realm realm;
  private final ModuleLoader modules;
  private final UsageMeter meter;
  private final HostCalls server;
  private final Console console = new Console();
  private final Timers timers = new Timers();

  /** The functions to call with the replies, by call id. */
  private final Map<Integer, Callable> pendingCalls = new HashMap<>();

  private int callsMade;
  private ScriptContext cx;
  private ThrownValues thrown;
  private ResultReader results;

  /** The outcome; null while the promise of the function is pending. */
  private Outcome outcome;

  /**
   * Creates an invocation.
   *
   * @param modules the operator modules that this worker has received so far
   */
  Invocation(
      Realm realm,
      LoadedProgram transform,
      ModuleStore modules,
      UsageMeter meter,
      HostCalls server) {
    this.realm = realm;
    this.modules = new ModuleLoader(realm, transform, modules, meter, server);
    this.meter = meter;
    this.server = server;
    realm.bind(this);
  }

  /** Runs the transform without calling its function. */
  Finished probe(ScriptContextFactory contexts) {
    return run(contexts, () -> exported());
  }

  /** Runs the transform, calls its function and runs the event loop until the promise settles. */
  Finished invoke(ScriptContextFactory contexts, Invoke invoke) {
    return run(
        contexts,
        () -> {
          Callable function = exported();
          if (function != null) {
            call(function, argument(invoke));
            loop();
          }
        });
  }

  /** Runs all work inside one top call of the engine, which some of its functions require. */
  private Finished run(ScriptContextFactory contexts, Runnable work) {
    try {
      contexts.metered(
          meter,
          context -> {
            cx = context;
            cx.putThreadLocal(ErrorTrace.Sources.class, modules);
            results = new ResultReader(cx, realm, meter);
            thrown = new ThrownValues(cx, realm, modules, results);
            return ScriptRuntime.doTopCall(
                (c, scope, self, arguments) -> {
                  work.run();
                  return null;
                },
                context,
                realm.global(),
                Undefined.SCRIPTABLE_UNDEFINED,
                ScriptRuntime.emptyArgs,
                false);
          });
    } catch (LimitExceeded e) {
      outcome = failed(e.kind());
    } catch (StackOverflowError e) {
      outcome = failed(FailureKind.STACK);
    } catch (RuntimeException e) {
      // A Java exception indicates a defect of Rhino that the script has triggered.
      outcome = failed(FailureKind.ENGINE_ERROR);
    }
    return new Finished(
        outcome, console.lines(), thrown == null ? Optional.empty() : thrown.last());
  }

  private static Outcome failed(FailureKind kind) {
    return new Outcome.Failed(kind, Position.UNKNOWN);
  }

  /** Returns the exported function; null if there is none, with the outcome set. */
  private Callable exported() {
    try {
      Callable function = modules.exportedFunction(cx);
      meter.check();
      outcome =
          function == null
              ? failed(FailureKind.NO_FUNCTION)
              : new Outcome.Returned(BodyKind.ABSENT, new byte[0], Optional.empty());
      return function;
    } catch (RhinoException e) {
      outcome = thrown.outcome(e, FailureKind.NOT_LOADED);
      return null;
    }
  }

  /**
   * Returns the argument with which a transform is called, {@code {args, configuration, bt}}:
   * {@code args} has the body and the properties of the message.
   */
  private Scriptable argument(Invoke invoke) {
    Scriptable args = cx.newObject(realm.global());
    Scriptable request = cx.newObject(realm.global());
    request.put("args", request, args);
    args.put("body", args, body(invoke));
    Scriptable context = (Scriptable) realm.parseJson(cx, invoke.context());
    for (Object id : context.getIds()) {
      String name = id.toString();
      Object value = context.get(name, context);
      if (!name.equals("bt")) {
        Scriptable to = name.equals("configuration") ? request : args;
        to.put(name, to, value);
      } else if (Boolean.TRUE.equals(value)) {
        request.put("bt", request, realm.surface().client(cx, realm.global()));
      }
    }
    return request;
  }

  private Object body(Invoke invoke) {
    return switch (invoke.kind()) {
      case ABSENT -> Undefined.instance;
      case NONE -> null;
      case JSON -> realm.parseJson(cx, text(invoke));
      case TEXT -> text(invoke);
      case BINARY -> realm.surface().buffer(cx, realm.global(), invoke.body());
    };
  }

  private static String text(Invoke invoke) {
    return new String(invoke.body(), StandardCharsets.UTF_8);
  }

  /** Calls the function and registers handlers for its promise, which {@link #loop} runs. */
  private void call(Callable function, Object argument) {
    outcome = null;
    try {
      Object value =
          function.call(
              cx, realm.global(), Undefined.SCRIPTABLE_UNDEFINED, new Object[] {argument});
      realm.await(cx, value, this::onFulfilled, this::onRejected);
    } catch (RhinoException e) {
      uncaught(e);
    }
  }

  /** Handles the fulfillment of the promise. */
  private Object onFulfilled(
      Context context, Scriptable scope, Scriptable self, Object[] arguments) {
    if (outcome == null) {
      outcome = results.returned(HostFunction.argument(arguments, 0));
    }
    return Undefined.instance;
  }

  /** Handles the rejection of the promise. */
  private Object onRejected(
      Context context, Scriptable scope, Scriptable self, Object[] arguments) {
    if (outcome == null) {
      outcome = thrown.outcome(HostFunction.argument(arguments, 0), null, FailureKind.ENGINE_ERROR);
    }
    return Undefined.instance;
  }

  /** Handles an exception that no code of the script has caught. */
  private void uncaught(RhinoException e) {
    if (outcome == null) {
      outcome = thrown.outcome(e, FailureKind.ENGINE_ERROR);
    }
  }

  /** Runs the event loop until there is an outcome or a limit is exceeded. */
  private void loop() {
    cx.runMicrotasks(this::isOver);
    while (!isOver()) {
      meter.check();
      runTurn();
      cx.runMicrotasks(this::isOver);
    }
    meter.check();
  }

  private boolean isOver() {
    return outcome != null;
  }

  /** Runs one turn: a due timer, or else the reaction to the next reply. */
  private void runTurn() {
    Runnable due = timers.due();
    if (due != null) {
      due.run();
    } else if (timers.isEmpty() && pendingCalls.isEmpty()) {
      outcome = failed(FailureKind.NEVER_SETTLES);
    } else {
      await();
    }
  }

  /** Waits for a reply until the next timer is due or the time limit is reached. */
  private void await() {
    long wallNanos = meter.wallNanosLeft();
    Reply reply =
        server.awaitReply(timers.isEmpty() ? wallNanos : Math.min(wallNanos, timers.nanosLeft()));
    Callable done = reply == null ? null : pendingCalls.remove(reply.callId());
    if (done != null) {
      runTurn(done, new Object[] {reply.ok(), reply.json()});
    }
  }

  /** Calls a function of the script as one turn of the event loop. */
  private void runTurn(Callable function, Object[] arguments) {
    try {
      function.call(cx, realm.global(), Undefined.SCRIPTABLE_UNDEFINED, arguments);
    } catch (RhinoException e) {
      uncaught(e);
    }
  }

  @Override
  public void call(String operation, String json, Callable done) {
    if (callsMade >= meter.limits().maxCalls()) {
      String text = "Too many calls of bt and fetch: at most " + callsMade + " an invocation";
      throw realm.newError(cx, text, null);
    }
    callsMade++;
    pendingCalls.put(server.send(operation, json), done);
  }

  @Override
  public int setTimer(Callable function, Object[] arguments, double delayMillis, boolean repeats) {
    return timers.set(() -> runTurn(function, arguments), delayMillis, repeats);
  }

  @Override
  public void clearTimer(int number) {
    timers.clear(number);
  }

  @Override
  public void enqueueMicrotask(Callable function) {
    cx.enqueueMicrotask(() -> runTurn(function, ScriptRuntime.emptyArgs));
  }

  @Override
  public void spend(long units) {
    cx.spend(units / UNITS_PER_INSTRUCTION);
  }

  @Override
  public void console(String level, String text) {
    console.add(level, text);
  }

  /** The console output of an invocation, up to a limit; further output is dropped. */
  private static final class Console {

    private static final int MAX_LINES = 1000;
    private static final int MAX_CHARACTERS = 128 * 1024;

    private final List<ConsoleLine> lines = new ArrayList<>();
    private int left = MAX_CHARACTERS;

    void add(String level, String text) {
      if (lines.size() < MAX_LINES && left > 0) {
        String kept = text.length() > left ? text.substring(0, left) : text;
        left -= kept.length() + 1;
        lines.add(new ConsoleLine(level, kept));
      }
    }

    List<ConsoleLine> lines() {
      return lines;
    }
  }

  /**
   * Connection to the server for the calls of a script.
   *
   * <p>Calls are sent immediately; replies are received by the thread that waits for them. Call ids
   * are never reused, so that a late reply cannot reach another invocation.
   */
  interface HostCalls {

    /**
     * Sends a call.
     *
     * @param operation {@code fetch} or an operation of {@code bt}
     * @param json the arguments, as {@code FromWorker.Call} describes them
     * @return the call id, which the reply repeats
     * @throws UncheckedIOException if the server has closed the pipe
     */
    int send(String operation, String json);

    /**
     * Waits for the next reply to any call.
     *
     * @return null if there is none in time
     */
    Reply awaitReply(long nanos);

    /**
     * Asks for an operator module and waits for it. Replies to calls are kept until then.
     *
     * @param from the id of the requiring module; empty for the transform itself
     * @return null if there is no response in time
     */
    Provided require(String from, String name, long nanos);
  }
}
