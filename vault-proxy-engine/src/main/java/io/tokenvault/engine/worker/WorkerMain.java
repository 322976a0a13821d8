package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.FromWorker.Failing;
import io.tokenvault.engine.wire.FromWorker.Finished;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.engine.wire.ToWorker;
import io.tokenvault.engine.worker.compile.TransformCompiler;
import io.tokenvault.engine.worker.node.NodeSurface;
import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;

/**
 * Entry point of the worker process. It exchanges messages with the server over its standard
 * streams and ends with them.
 *
 * <p>Exit codes: 2 after a limit that the watchdog enforced, 3 if memory ran out, 0 or 1 otherwise.
 */
public final class WorkerMain {

  /** Enough for scripts that re-enter themselves through the engine about a thousand times. */
  private static final long STACK_BYTES = 16L << 20;

  private WorkerMain() {}

  /**
   * Runs the worker until the server closes standard input.
   *
   * @param args ignored
   */
  public static void main(String[] args) throws InterruptedException {
    InputStream in = new BufferedInputStream(new FileInputStream(FileDescriptor.in));
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    silence();
    Locale.setDefault(Locale.ROOT);
    TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
    WorkerChannel channel = new WorkerChannel(in, out, () -> Runtime.getRuntime().halt(0));
    Watchdog watchdog = new Watchdog(failing -> kill(channel, failing));
    TaskLoop worker = new TaskLoop(channel, watchdog);
    if (channel.next() instanceof ToWorker.Begin begin) {
      long stack = begin.compiler() ? TransformCompiler.STACK_BYTES : STACK_BYTES;
      Thread thread = new Thread(null, () -> worker.run(begin), "worker", stack);
      thread.start();
      thread.join();
    }
    Runtime.getRuntime().halt(1);
  }

  /** Returns the globals and modules of Node.js that scripts see. */
  static NodeSurface surface(List<String> errorModules) {
    return NodeSurface.load(errorModules);
  }

  /** Discards output of libraries, which must not mix with messages or reach the server's log. */
  private static void silence() {
    PrintStream nothing = new PrintStream(OutputStream.nullOutputStream(), false);
    System.setOut(nothing);
    System.setErr(nothing);
    System.setIn(InputStream.nullInputStream());
  }

  /** Reports the exceeded limit and ends the process. */
  private static void kill(WorkerChannel channel, Failing failing) {
    Outcome outcome = new Outcome.Failed(failing, Position.UNKNOWN);
    channel.send(new Finished(outcome, List.of()));
    Runtime.getRuntime().halt(2);
  }
}
