package io.tokenvault.server.backup;

/** A file is no backup that can be used; the message is for the operator. */
public final class RefusedBackupException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RefusedBackupException(String message) {
    super(message);
  }
}
