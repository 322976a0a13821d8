package io.tokenvault.server.imports;

/** Reports that an import cannot be started or continued. The message is meant for the operator. */
public final class RefusedImportException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RefusedImportException(String message) {
    super(message);
  }
}
