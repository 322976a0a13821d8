package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The embedded PostgreSQL cannot do what was asked. The message names the data directory, tells
 * what to do, and never holds a password.
 */
public final class EmbeddedPostgresException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  EmbeddedPostgresException(String message) {
    super(message);
  }

  EmbeddedPostgresException(String message, Throwable cause) {
    super(message, cause);
  }

  static EmbeddedPostgresException of(Path path, IOException cause) {
    return new EmbeddedPostgresException(
        "The data directory cannot be used: " + path + ": " + reason(cause), cause);
  }

  private static String reason(IOException cause) {
    if (cause instanceof AccessDeniedException denied) {
      return "permission denied (" + denied.getFile() + ")";
    }
    if (cause instanceof FileAlreadyExistsException exists) {
      return "a file is in the way (" + exists.getFile() + ")";
    }
    if (cause instanceof NoSuchFileException missing) {
      return "not found (" + missing.getFile() + ")";
    }
    return cause.getMessage();
  }
}
