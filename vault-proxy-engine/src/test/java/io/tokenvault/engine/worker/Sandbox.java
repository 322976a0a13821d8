package io.tokenvault.engine.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker.Finished;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.ToWorker.Invoke;
import io.tokenvault.engine.wire.ToWorker.Limits;
import io.tokenvault.engine.wire.ToWorker.Program;
import io.tokenvault.engine.wire.ToWorker.Provided;
import io.tokenvault.engine.wire.ToWorker.Reply;
import io.tokenvault.engine.worker.Invocation.HostCalls;
import io.tokenvault.engine.worker.node.NodeSurface;
import io.tokenvault.engine.worker.node.script.RealmServices;
import io.tokenvault.engine.worker.realm.HostFunction;
import io.tokenvault.engine.worker.realm.Realm;
import io.tokenvault.engine.worker.realm.RealmFactory;
import io.tokenvault.engine.worker.realm.ScriptContext.ScriptContextFactory;
import io.tokenvault.engine.worker.realm.UsageMeter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ScriptableObject;

/**
 * Runs scripts as a worker does, but in this JVM. Scripts have additional functions that call the
 * environment directly: {@code later(function, millis, repeats)}, {@code cancel(number)}, {@code
 * soon(function)}, {@code say(text)} and {@code ask(operation, json, done)}.
 */
public final class Sandbox {

  static final Limits LIMITS = new Limits(60_000, 60_000, 1L << 40, 64L << 20, 1 << 20, 3);

  private static final Limits GENEROUS_LIMITS =
      new Limits(60_000, 60_000, 1L << 40, 1L << 40, 1 << 20, 100);
  private static final String CONTEXT = "{\"method\":\"POST\",\"configuration\":{\"k\":\"v\"}}";
  private static final String CLIENT_CONTEXT =
      "{\"headers\":{},\"method\":\"POST\",\"path\":\"/\",\"query\":\"\",\"configuration\":{},\"bt\":true}";

  /** Returns the response to a call of a script; null if there is none. */
  public interface StubServer {
    Response respond(String operation, String json);
  }

  /** A response of the server. */
  public record Response(boolean ok, String json) {}

  private final ScriptContextFactory contexts = new ScriptContextFactory();
  private final RealmFactory factory;
  private final ModuleStore store = new ModuleStore();

  /** The operator modules by the names in {@code require}. */
  final Map<String, Program> modules = new HashMap<>();

  final List<String> sentCalls = new ArrayList<>();
  final Deque<Reply> replies = new ArrayDeque<>();

  public Sandbox() {
    this(List.of());
  }

  public Sandbox(List<String> errorModules) {
    NodeSurface surface = contexts.unmetered(cx -> NodeSurface.load(errorModules));
    factory = new RealmFactory(contexts, surface);
  }

  public Outcome run(String code) {
    return run(code, LIMITS).outcome();
  }

  /** Runs the code and calls its function without a body. */
  Finished run(String code, Limits limits) {
    return run(new Program(code), limits, BodyKind.NONE, "");
  }

  /** Runs the code with the vault's client, whose calls go to this server. */
  public Finished run(String code, StubServer server) {
    Program program = new Program(code);
    Invoke invoke = invoke(GENEROUS_LIMITS, BodyKind.JSON, "{}", CLIENT_CONTEXT);
    replies.clear();
    sentCalls.clear();
    return invocation(program, GENEROUS_LIMITS, new StubHostCalls(server)).invoke(contexts, invoke);
  }

  Outcome runWithBody(BodyKind kind, String body, String code) {
    return run(new Program(code), LIMITS, kind, body).outcome();
  }

  /** Returns a JSON array of the values of the expressions, which are separated by commas. */
  public String evaluate(String expression) {
    return body(run("module.exports = function (req) { return {body: [" + expression + "]}; };"));
  }

  public static String body(Outcome outcome) {
    Outcome.Returned returned = (Outcome.Returned) outcome;
    return new String(returned.body(), StandardCharsets.UTF_8);
  }

  Finished run(Program program, Limits limits, BodyKind kind, String body) {
    return invocation(program, limits, withoutResponses())
        .invoke(contexts, invoke(limits, kind, body, CONTEXT));
  }

  private static Invoke invoke(Limits limits, BodyKind kind, String body, String context) {
    return new Invoke("key", limits, kind, body.getBytes(StandardCharsets.UTF_8), context);
  }

  private StubHostCalls withoutResponses() {
    return new StubHostCalls((operation, json) -> null);
  }

  Finished probe(String code) {
    return invocation(new Program(code), LIMITS, withoutResponses()).probe(contexts);
  }

  private Invocation invocation(Program program, Limits limits, HostCalls server) {
    Realm realm = factory.build();
    Invocation invocation =
        new Invocation(realm, parse(program), store, new UsageMeter(limits), server);
    defineFunctions(realm.global(), invocation);
    return invocation;
  }

  private static LoadedProgram parse(Program program) {
    LoadedProgram loaded = LoadedProgram.parse(program);
    assertThat(loaded.flaw()).isNull();
    return loaded;
  }

  private static void defineFunctions(ScriptableObject global, RealmServices environment) {
    function(
        global,
        "later",
        (cx, scope, self, args) ->
            environment.setTimer(
                (Callable) args[0], new Object[0], Context.toNumber(args[1]), args.length > 2));
    function(
        global,
        "cancel",
        (cx, scope, self, args) -> {
          environment.clearTimer((int) Context.toNumber(args[0]));
          return null;
        });
    function(
        global,
        "soon",
        (cx, scope, self, args) -> {
          environment.enqueueMicrotask((Callable) args[0]);
          return null;
        });
    function(
        global,
        "say",
        (cx, scope, self, args) -> {
          environment.console("log", Context.toString(args[0]));
          return null;
        });
    function(
        global,
        "ask",
        (cx, scope, self, args) -> {
          environment.call(
              Context.toString(args[0]), Context.toString(args[1]), (Callable) args[2]);
          return null;
        });
  }

  private static void function(ScriptableObject global, String name, Callable body) {
    Object function = HostFunction.named(global, name, 1, body);
    global.defineProperty(name, function, ScriptableObject.DONTENUM);
  }

  /** Returns the responses of the server, or the replies that the test has queued. */
  private final class StubHostCalls implements HostCalls {
    private final StubServer server;

    StubHostCalls(StubServer server) {
      this.server = server;
    }

    @Override
    public int send(String operation, String json) {
      sentCalls.add(operation + " " + json);
      Response response = server.respond(operation, json);
      if (response != null) {
        replies.add(new Reply(sentCalls.size(), response.ok(), response.json()));
      }
      return sentCalls.size();
    }

    @Override
    public Reply awaitReply(long nanos) {
      if (replies.isEmpty()) {
        java.util.concurrent.locks.LockSupport.parkNanos(nanos);
      }
      return replies.poll();
    }

    @Override
    public Provided require(String from, String name, long nanos) {
      sentCalls.add("require " + from + " " + name);
      return new Provided(Optional.ofNullable(modules.get(name)), true);
    }
  }
}
