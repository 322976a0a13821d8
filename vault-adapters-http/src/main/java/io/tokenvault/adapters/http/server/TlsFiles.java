package io.tokenvault.adapters.http.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * PEM files. Changed files are used for new connections without a restart; ones that do not fit
 * together are logged and the ones before stay in use.
 *
 * @param certificate the server's certificate, followed by those that lead to its CA
 * @param privateKey PKCS #8, or PKCS #1 for RSA; not encrypted
 * @param checkInterval how often to look for changes
 */
public record TlsFiles(Path certificate, Path privateKey, Duration checkInterval) {
  public TlsFiles {
    Objects.requireNonNull(certificate, "certificate");
    Objects.requireNonNull(privateKey, "privateKey");
    Objects.requireNonNull(checkInterval, "checkInterval");
  }

  /**
   * Looks at the files, without listening.
   *
   * @throws CannotListenException if they cannot be used
   */
  public void check() {
    ServerTls.check(this);
  }
}
