package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Thrown if an operation of the embedded PostgreSQL fails. The message names the data directory and
 * the remedy, and never contains a password.
 */
public final class EmbeddedPostgresException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  EmbeddedPostgresException(String message) {
    super(message);
  }

  EmbeddedPostgresException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Returns the exception for a failed access to a file of the data directory. */
  static EmbeddedPostgresException of(Path path, IOException cause) {
    return new EmbeddedPostgresException(
        "The data directory cannot be used: " + path + ": " + reason(cause), cause);
  }

  /** Describes a failed access in words, since the JDK's message is often only the file's name. */
  private static String reason(IOException cause) {
    if (cause instanceof AccessDeniedException denied) {
      return "permission denied (" + denied.getFile() + ")";
    }
    if (cause instanceof FileAlreadyExistsException exists) {
      return "a file exists there (" + exists.getFile() + ")";
    }
    if (cause instanceof NoSuchFileException missing) {
      return "not found (" + missing.getFile() + ")";
    }
    return cause.getMessage();
  }
}
