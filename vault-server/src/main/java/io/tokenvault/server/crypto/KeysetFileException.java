package io.tokenvault.server.crypto;

import java.nio.file.Path;

/**
 * The master keyset file cannot be used. The message names the file and what to do, never anything
 * that it holds.
 */
public final class KeysetFileException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  KeysetFileException(Path file, String problem) {
    super("master keyset file " + file + " " + problem);
  }
}
