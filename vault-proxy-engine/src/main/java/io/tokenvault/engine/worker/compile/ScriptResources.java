package io.tokenvault.engine.worker.compile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Reader of scripts on the class path. */
final class ScriptResources {

  private ScriptResources() {}

  /**
   * Returns the text of a resource in this package.
   *
   * @throws IllegalStateException if there is no such resource
   */
  static String text(String name) {
    try (InputStream in = ScriptResources.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("not on the class path: " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
