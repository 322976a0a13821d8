package io.tokenvault.server.environment;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Runs operations on files, sockets, and programs without checked exceptions. */
public final class Unchecked {

  private Unchecked() {}

  /** An operation that returns a result. */
  public interface Work<T> {

    T get() throws IOException, InterruptedException;
  }

  /** An operation without a result. */
  public interface Action {

    void run() throws IOException, InterruptedException;
  }

  public static <T> T get(Work<T> work) {
    try {
      return work.get();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  public static void run(Action action) {
    get(
        () -> {
          action.run();
          return action;
        });
  }
}
