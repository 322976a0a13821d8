package io.tokenvault.adapters.http.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * The PEM files of a listener's certificate and key.
 *
 * <p>Changed files apply to new connections without a restart. If the changed files cannot be used,
 * the failure is logged and the previous ones stay in use.
 *
 * @param certificate the server's certificate, followed by the intermediate certificates
 * @param privateKey PKCS #8, or PKCS #1 for RSA; not encrypted
 * @param checkInterval how often the files are checked for changes
 */
public record TlsFiles(Path certificate, Path privateKey, Duration checkInterval) {
  public TlsFiles {
    Objects.requireNonNull(certificate, "certificate");
    Objects.requireNonNull(privateKey, "privateKey");
    Objects.requireNonNull(checkInterval, "checkInterval");
  }

  /**
   * Checks that the files can be used, without listening.
   *
   * @throws CannotListenException if they cannot be used
   */
  public void check() {
    ServerListener.check(this);
  }
}
