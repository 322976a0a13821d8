package io.tokenvault.engine.transform;

import io.tokenvault.engine.transform.isolation.IsolatedProgram;
import io.tokenvault.engine.transform.pool.PoolSettings.WorkerSettings;
import io.tokenvault.engine.transform.pool.WorkerProcess.WorkerLauncher;
import io.tokenvault.engine.transform.pool.WorkerThreads;
import io.tokenvault.engine.wire.FromWorker.Compiled;
import io.tokenvault.engine.wire.ToWorker.Begin;
import io.tokenvault.engine.worker.compile.ScriptResources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares the speed of transforms with Node.js on the same machine; docs/transforms.md describes
 * how to run it. Node.js is measured before each round, since other load slows both.
 */
@Tag("long")
final class TransformBenchmark {

  private static final Path NODE = Path.of("/usr/bin/node");
  private static final int ROUNDS = Integer.getInteger("benchmark.rounds", 3);
  private static final int STEADY = 3000;
  private static final int PAUSE_MICROS = 2000;
  private static final String CONTEXT =
      "{\"headers\":{\"content-type\":\"application/json\",\"accept\":\"*/*\"},\"method\":\"POST\","
          + "\"path\":\"/orders\",\"query\":\"\",\"configuration\":{\"MERCHANT_ID\":\"m-1\","
          + "\"SECRET\":\"s3cr3t\",\"TIMESTAMP\":\"1700000000\"}}";

  @TempDir private static Path files;

  private final WorkerThreads threads = new WorkerThreads(2);
  private final String source = resource("order.js");
  private final byte[] body = resource("order.json").getBytes(StandardCharsets.UTF_8);

  private static String resource(String name) {
    return ScriptResources.text(TransformBenchmark.class, "/transforms/reference/" + name);
  }

  @Test
  void measureTransformsAndNode() throws Exception {
    line("%-42s %10s", "compiling", "ms");
    String program = measureCompiler();
    line("");
    line("%-42s %10s %10s", "reference transform, us", "p50", "p99");
    for (int round = 1; round <= ROUNDS; round++) {
      line("round %d", round);
      measureNode();
      measureWorker(program);
    }
    threads.close();
  }

  private String measureCompiler() throws Exception {
    IsolatedProgram compiling = new IsolatedProgram();
    try (MeasuredWorker worker =
        MeasuredWorker.start(
            new WorkerLauncher(compiling::find, new Begin(true, List.of())),
            WorkerSettings.forCompiling(),
            threads)) {
      row("start to ready", worker.startMillis());
      long begin = System.nanoTime();
      Compiled compiled = (Compiled) worker.compile(source);
      row("first source", MeasuredWorker.millisSince(begin));
      Durations later = new Durations(5);
      for (int i = 0; i < 5; i++) {
        begin = System.nanoTime();
        worker.compile(source);
        later.add(MeasuredWorker.millisSince(begin));
      }
      row("each of the next five, median", later.median());
      row("characters made", compiled.code().length());
      row("memory, MiB", worker.residentMib());
      return compiled.code();
    }
  }

  private void measureNode() throws Exception {
    if (!Files.isExecutable(NODE)) {
      line("  Node.js is not installed and not measured");
      return;
    }
    String[] output = node().split(" ");
    line("  %-40s %10s %10s", "Node.js, direct call", output[0], output[1]);
  }

  private String node() throws IOException, InterruptedException {
    for (String name : List.of("order.js", "order.json", "measure.js")) {
      Files.writeString(files.resolve(name), resource(name));
    }
    Process node =
        new ProcessBuilder(
                NODE.toString(),
                files.resolve("measure.js").toString(),
                files.resolve("order.js").toString(),
                files.resolve("order.json").toString(),
                CONTEXT,
                Integer.toString(STEADY))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String output =
        new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    node.waitFor();
    return output;
  }

  private void measureWorker(String program) throws Exception {
    IsolatedProgram running = new IsolatedProgram();
    try (MeasuredWorker worker =
        MeasuredWorker.start(
            new WorkerLauncher(running::find, new Begin(false, List.of())),
            WorkerSettings.forTransforms(),
            threads)) {
      row("  worker, start to ready, ms", worker.startMillis());
      row("  worker, first, with loading", worker.firstMicros(program, body, CONTEXT));
      report("  worker, 2nd to 20th", worker.invocations(19, 0, body, CONTEXT));
      report("  worker, next 100", worker.invocations(100, 0, body, CONTEXT));
      report("  worker, next 1000", worker.invocations(1000, 0, body, CONTEXT));
      report("  worker, next 20000", worker.invocations(20_000, 0, body, CONTEXT));
      report("  worker, steady, one after the other", worker.invocations(STEADY, 0, body, CONTEXT));
      report(
          "  worker, steady, 2 ms apart",
          worker.invocations(STEADY / 3, PAUSE_MICROS, body, CONTEXT));
      row("  worker, memory, MiB", worker.residentMib());
    }
  }

  private static void report(String label, Durations durations) {
    line("%-42s %10.0f %10.0f", label, durations.median(), durations.quantile(0.99));
  }

  private static void row(String label, double value) {
    line("%-42s %10.0f", label, value);
  }

  private static void line(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
