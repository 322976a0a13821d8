package io.tokenvault.engine.worker.compile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Reader of scripts on the class path. */
public final class ScriptResources {

  private ScriptResources() {}

  /**
   * Returns the text of a resource in the package of a class.
   *
   * @throws IllegalStateException if there is no such resource
   */
  public static String text(Class<?> owner, String name) {
    try (InputStream in = owner.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("not on the class path: " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
