package io.tokenvault.engine;

import io.tokenvault.engine.transform.TransformRunner;
import io.tokenvault.engine.transform.content.Content;
import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A transform runner that records its runs and runs Java code in place of the programs. */
public final class ScriptedRunner implements TransformRunner {

  /** Java code that is run in place of a program. */
  @FunctionalInterface
  public interface Script {
    Ending run(Run run, Host host);
  }

  private final List<Run> runs = new CopyOnWriteArrayList<>();
  private volatile Script script = (run, host) -> unchanged();

  public void setScript(Script next) {
    script = next;
  }

  /** Ends all further runs with this result. */
  public void endWith(Ending ending) {
    script = (run, host) -> ending;
  }

  public void endWith(Outcome outcome) {
    endWith(reported(outcome));
  }

  /** Makes this call in all further runs, and returns a list to which the replies are added. */
  public List<Host.Reply> makeCall(String operation, String json) {
    List<Host.Reply> replies = new CopyOnWriteArrayList<>();
    script =
        (run, host) -> {
          replies.add(host.call(operation, json));
          return unchanged();
        };
    return replies;
  }

  public List<Run> runs() {
    return runs;
  }

  /** Returns the last run. */
  public Run run() {
    return runs.get(runs.size() - 1);
  }

  /** Returns the kind and the body of the last run. */
  public String kindAndBody() {
    Content content = run().content();
    return content.kind() + " " + new String(content.bytes(), StandardCharsets.UTF_8);
  }

  @Override
  public Ending run(Run run, Host host) {
    runs.add(run);
    return script.run(run, host);
  }

  public static Ending reported(Outcome outcome) {
    return new Ending.Reported(new FromWorker.Finished(outcome, List.of()));
  }

  public static Ending unchanged() {
    return reported(new Outcome.Returned(BodyKind.ABSENT, new byte[0], Optional.empty()));
  }

  public static Outcome returned(BodyKind kind, String body) {
    return new Outcome.Returned(kind, body.getBytes(StandardCharsets.UTF_8), Optional.empty());
  }

  public static Outcome returned(BodyKind kind, String body, String headers) {
    return new Outcome.Returned(kind, body.getBytes(StandardCharsets.UTF_8), Optional.of(headers));
  }

  public static Outcome responseThrown(int status, String headers, BodyKind kind, String body) {
    return new Outcome.ResponseThrown(status, headers, kind, body.getBytes(StandardCharsets.UTF_8));
  }
}
