package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker.Finished;
import io.tokenvault.engine.wire.ToWorker.Bundle;
import io.tokenvault.engine.wire.ToWorker.Invoke;
import io.tokenvault.engine.wire.ToWorker.Limits;
import io.tokenvault.engine.wire.ToWorker.Program;
import io.tokenvault.engine.wire.ToWorker.Reply;
import io.tokenvault.engine.worker.Invocation.HostCalls;
import io.tokenvault.engine.worker.LoadedBundle.Unparsable;
import io.tokenvault.engine.worker.node.NodeSurface;
import io.tokenvault.engine.worker.realm.RealmFactory;
import io.tokenvault.engine.worker.realm.ScriptContext.ScriptContextFactory;
import io.tokenvault.engine.worker.realm.UsageMeter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** Runs scripts as a worker does, in this process, with a server that answers as it is told. */
public final class ScriptRun {

  private static final Limits LIMITS = new Limits(60_000, 60_000, 1L << 40, 1L << 40, 1 << 20, 100);

  private final ScriptContextFactory contexts = new ScriptContextFactory();
  private final RealmFactory realms;

  /** What the server answers. */
  public interface Server {
    Answer answer(String operation, String json);
  }

  /** An answer of the server. */
  public record Answer(boolean ok, String json) {}

  public ScriptRun(List<String> errorModules) {
    NodeSurface surface = contexts.unmetered(cx -> NodeSurface.load(errorModules));
    this.realms = new RealmFactory(contexts, surface);
  }

  /** Runs a script that needs no server. */
  public Finished run(String script) {
    return run(script, (operation, json) -> new Answer(false, "{}"));
  }

  public Finished run(String script, Server server) {
    Invoke invoke =
        new Invoke("", LIMITS, BodyKind.JSON, "{}".getBytes(StandardCharsets.UTF_8), CONTEXT);
    return new Invocation(realms.build(), parse(script), new UsageMeter(LIMITS), new Told(server))
        .invoke(contexts, invoke);
  }

  private static final String CONTEXT =
      "{\"headers\":{},\"method\":\"POST\",\"path\":\"/\",\"query\":\"\",\"configuration\":{},\"bt\":true}";

  private LoadedBundle parse(String script) {
    return contexts.unmetered(
        cx -> {
          try {
            return LoadedBundle.parse(cx, new Bundle(new Program(script, Map.of()), Map.of()));
          } catch (Unparsable e) {
            throw new AssertionError("line " + e.position().line(), e);
          }
        });
  }

  /** Builds realms only, to tell what they cost. */
  public void buildRealms(int count) {
    for (int i = 0; i < count; i++) {
      realms.build();
    }
  }

  private static final class Told implements HostCalls {
    private final Server server;
    private final Deque<Reply> replies = new ArrayDeque<>();
    private final List<String> calls = new ArrayList<>();

    Told(Server server) {
      this.server = server;
    }

    @Override
    public int send(String operation, String json) {
      calls.add(operation);
      Answer response = server.answer(operation, json);
      if (response != null) {
        replies.add(new Reply(calls.size(), response.ok(), response.json()));
      }
      return calls.size();
    }

    @Override
    public Reply awaitReply(long nanos) {
      Reply reply = replies.poll();
      if (reply == null) {
        try {
          Thread.sleep(Math.min(nanos / 1_000_000 + 1, 1000));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      return reply;
    }
  }
}
