package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.FromWorker.Finished;
import io.tokenvault.engine.wire.MessageCodec;
import io.tokenvault.engine.wire.ToWorker;
import io.tokenvault.engine.wire.ToWorker.Limits;
import io.tokenvault.engine.wire.ToWorker.Program;
import java.io.BufferedInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.mozilla.javascript.Context;

/** A worker process that the test controls through its pipe. */
final class TestWorker implements AutoCloseable {

  static final Limits LIMITS = new Limits(60_000, 60_000, 1L << 40, 64L << 20, 10 << 20, 100);
  static final String CONTEXT =
      "{\"headers\":{\"a\":\"b\"},\"method\":\"POST\",\"path\":\"/x\",\"query\":\"\","
          + "\"configuration\":{\"k\":\"v\"}}";

  private static final long TIMEOUT_SECONDS = 60;

  private final Process process;
  private final OutputStream out;
  private final InputStream in;

  TestWorker() throws IOException {
    String classPath =
        codeLocation(WorkerMain.class) + File.pathSeparator + codeLocation(Context.class);
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    process =
        new ProcessBuilder(
                java.toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                classPath,
                WorkerMain.class.getName())
            .start();
    out = process.getOutputStream();
    in = new BufferedInputStream(process.getInputStream());
  }

  private static String codeLocation(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();
  }

  TestWorker begin() throws IOException {
    send(new ToWorker.Begin(false, List.of()));
    receive();
    return this;
  }

  void load(String key, String code) throws IOException {
    send(new ToWorker.Load(key, 0, new Program(code)));
  }

  void send(ToWorker message) throws IOException {
    MessageCodec.write(out, message);
  }

  FromWorker receive() throws IOException {
    return MessageCodec.readFromWorker(in);
  }

  Finished invoke(String key, Limits limits, String json) throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    send(new ToWorker.Invoke(key, limits, BodyKind.JSON, body, CONTEXT));
    return (Finished) receive();
  }

  /** Waits until the process ends and returns its exit code. */
  int awaitExit() throws InterruptedException {
    if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("the worker process did not end");
    }
    return process.exitValue();
  }

  void closePipe() throws IOException {
    out.close();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
