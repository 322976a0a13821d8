package io.tokenvault.server.imports;

/** An import cannot be begun or gone on with; the message is for the operator. */
public final class RefusedImportException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RefusedImportException(String message) {
    super(message);
  }
}
