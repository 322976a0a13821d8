package io.tokenvault.server.crypto;

import java.nio.file.Path;

/**
 * Reports that the master keyset file cannot be used. The message names the file and what to do
 * about it, but never any content of the file.
 */
public final class KeysetFileException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  KeysetFileException(Path file, String problem) {
    super("master keyset file " + file + " " + problem);
  }
}
