package io.tokenvault.server.place;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Work with files, sockets and programs whose failure fails the test, whatever it is about. */
public final class Unchecked {

  private Unchecked() {}

  /** Work that has a result. */
  public interface Work<T> {

    T get() throws IOException, InterruptedException;
  }

  /** Work that has none. */
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
