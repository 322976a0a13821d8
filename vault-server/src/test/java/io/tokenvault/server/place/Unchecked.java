package io.tokenvault.server.place;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Work with files and sockets whose failure fails the test, whatever it was about. */
public final class Unchecked {

  private Unchecked() {}

  /** Work that has a result. */
  public interface Work<T> {

    T get() throws IOException;
  }

  /** Work that has none. */
  public interface Action {

    void run() throws IOException;
  }

  public static <T> T get(Work<T> work) {
    try {
      return work.get();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
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
