package io.tokenvault.server.backup;

/** Reports that a file is not a usable backup. The message is meant for the operator. */
public final class RefusedBackupException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RefusedBackupException(String message) {
    super(message);
  }
}
