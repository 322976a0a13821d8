package io.tokenvault.engine.forward;

import java.io.IOException;

/** A connection turned out to be closed before anything of the request was written to it. */
final class StaleConnectionException extends IOException {
  private static final long serialVersionUID = 1L;
}
