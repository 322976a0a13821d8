package io.tokenvault.engine.worker.compile;

import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.ToWorker;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A compiler on a thread with the stack it needs, as in a compile worker. */
final class CompilingThread implements AutoCloseable {

  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          task -> new Thread(null, task, "compiler", TransformCompiler.STACK_BYTES));
  private final TransformCompiler compiler;

  CompilingThread(List<String> errorModules) throws InterruptedException, ExecutionException {
    compiler = thread.submit(() -> TransformCompiler.load(errorModules)).get();
  }

  FromWorker compile(String source, boolean module) {
    try {
      return thread.submit(() -> compiler.compile(new ToWorker.Compile(source, module, 0))).get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  String remadeHelpers() {
    try {
      return thread.submit(compiler::remadeHelpers).get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
