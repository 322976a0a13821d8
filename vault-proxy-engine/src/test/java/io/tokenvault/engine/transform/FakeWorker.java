package io.tokenvault.engine.transform;

import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.FromWorker.FailureKind;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.engine.wire.MessageCodec;
import io.tokenvault.engine.wire.ToWorker;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** The program of worker processes in tests. The code of a transform names what it does. */
public final class FakeWorker {

  private final InputStream in = new BufferedInputStream(new FileInputStream(FileDescriptor.in));
  private final OutputStream out =
      new BufferedOutputStream(new FileOutputStream(FileDescriptor.out));
  private final TreeMap<String, String> behaviors = new TreeMap<>();
  private final String name = UUID.randomUUID().toString();

  private FakeWorker() {}

  public static void main(String[] arguments) throws IOException {
    try {
      new FakeWorker().serve();
    } catch (EOFException e) {
      System.exit(0);
    }
  }

  private void serve() throws IOException {
    MessageCodec.readToWorker(in);
    MessageCodec.write(out, new FromWorker.Ready());
    while (true) {
      ToWorker message = MessageCodec.readToWorker(in);
      if (message instanceof ToWorker.Load load) {
        if (behaviors.put(load.key(), load.program().code()) != null) {
          throw new IOException("a key is loaded twice");
        }
      } else if (message instanceof ToWorker.Invoke invoke) {
        perform(behaviors.get(invoke.key()), new String(invoke.body(), StandardCharsets.UTF_8));
      } else if (message instanceof ToWorker.Probe probe) {
        perform(behaviors.get(probe.key()), "");
      } else if (message instanceof ToWorker.Compile compile) {
        MessageCodec.write(out, new FromWorker.Compiled(compile.source(), List.of()));
      }
    }
  }

  private void perform(String behavior, String body) throws IOException {
    switch (behavior) {
      case "echo" -> finish(body);
      case "name" -> finish(name);
      case "overrun" -> overrun(FailureKind.valueOf(body));
      case "loop" -> loop();
      case "memory" -> fillMemory();
      case "exit" -> System.exit(7);
      case "garbage" -> garbage();
      case "truncated message" -> truncateMessage();
      case "unexpected message" -> MessageCodec.write(out, new FromWorker.Ready());
      case "calls" -> finish(String.join(",", call(Integer.parseInt(body))));
      case "unanswered calls" -> send(Integer.parseInt(body));
      case "flood" -> flood();
      case "module" -> finish(module());
      case "two modules" -> twoModules();
      case "late call" -> finishAndCall();
      case "probe isolation" -> finish(IsolationProbe.successfulAttempts(body));
      default -> throw new IOException("unknown behavior: " + behavior);
    }
  }

  private void finish(String text) throws IOException {
    MessageCodec.write(out, finished(text));
  }

  private static FromWorker finished(String text) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    Outcome outcome = new Outcome.Returned(BodyKind.TEXT, body, Optional.empty());
    return new FromWorker.Finished(outcome, List.of());
  }

  /** Returns the code of the module that the server provides. */
  private String module() throws IOException {
    MessageCodec.write(out, new FromWorker.Require("", "lodash"));
    ToWorker.Provided provided = (ToWorker.Provided) MessageCodec.readToWorker(in);
    return provided.module().map(ToWorker.Program::code).orElse("none");
  }

  /** Requires a second module before the first is provided. */
  private void twoModules() throws IOException {
    MessageCodec.write(out, new FromWorker.Require("", "slow"));
    MessageCodec.write(out, new FromWorker.Require("", "slow"));
    MessageCodec.readToWorker(in);
  }

  /** Writes both messages at once, so that the call has arrived when the invocation ends. */
  private void finishAndCall() throws IOException {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    MessageCodec.write(both, finished(""));
    MessageCodec.write(both, new FromWorker.Call(1, "bt.tokens.retrieve", "[]"));
    both.writeTo(out);
    out.flush();
  }

  private void overrun(FailureKind limit) throws IOException {
    Outcome outcome = new Outcome.Failed(limit, Position.UNKNOWN);
    MessageCodec.write(out, new FromWorker.Finished(outcome, List.of()));
  }

  private static void loop() {
    while (!Thread.interrupted()) {
      Thread.onSpinWait();
    }
  }

  private static void fillMemory() {
    List<byte[]> held = new ArrayList<>();
    while (held.size() < Integer.MAX_VALUE) {
      held.add(new byte[1 << 20]);
    }
  }

  private void garbage() throws IOException {
    out.write(
        "this is no message, and long enough to be taken for one".getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private void truncateMessage() throws IOException {
    out.write(new byte[] {0, 0, 0, 9, 'f'});
    out.flush();
    System.exit(1);
  }

  private void send(int calls) throws IOException {
    for (int call = 0; call < calls; call++) {
      MessageCodec.write(out, new FromWorker.Call(call, "bt.tokens.retrieve", "[" + call + "]"));
    }
  }

  private List<String> call(int calls) throws IOException {
    send(calls);
    TreeMap<Integer, String> responses = new TreeMap<>();
    while (responses.size() < calls) {
      ToWorker.Reply reply = (ToWorker.Reply) MessageCodec.readToWorker(in);
      responses.put(reply.callId(), reply.ok() + reply.json());
    }
    return List.copyOf(responses.values());
  }

  private void flood() throws IOException {
    while (true) {
      send(1000);
    }
  }
}
