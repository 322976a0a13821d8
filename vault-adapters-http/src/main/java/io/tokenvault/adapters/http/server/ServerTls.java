package io.tokenvault.adapters.http.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server's TLS certificate, which is reloaded when its files change. */
final class ServerTls implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ServerTls.class);

  private final TlsFiles files;
  private final SslContextFactory.Server contexts = new SslContextFactory.Server();
  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "inbound-tls");
            thread.setDaemon(true);
            return thread;
          });
  private List<FileTime> seen;

  private ServerTls(TlsFiles files) {
    this.files = files;
    this.contexts.setIncludeProtocols("TLSv1.2", "TLSv1.3");
  }

  /**
   * Loads the certificate and starts to check its files for changes.
   *
   * @throws CannotListenException if the files cannot be used
   */
  static ServerTls load(TlsFiles files) {
    ServerTls tls = new ServerTls(files);
    try {
      tls.seen = tls.times();
      tls.use(tls.contexts);
    } catch (IOException unusable) {
      throw cannotBeUsed(unusable);
    }
    long period = files.checkInterval().toMillis();
    var unused =
        tls.watch.scheduleWithFixedDelay(
            tls::reloadIfChanged, period, period, TimeUnit.MILLISECONDS);
    return tls;
  }

  /**
   * Checks that the files can be used, without keeping them.
   *
   * @throws CannotListenException if the files cannot be used
   */
  static void check(TlsFiles files) {
    try {
      PemKeyStore.read(files.certificate(), files.privateKey());
    } catch (IOException unusable) {
      throw cannotBeUsed(unusable);
    }
  }

  /** Returns a failure for the operator that names the cause, but no path and no content. */
  private static CannotListenException cannotBeUsed(IOException unusable) {
    return new CannotListenException(
        "The TLS certificate and key cannot be used: "
            + (unusable instanceof PemKeyStore.UnusableException
                ? unusable.getMessage()
                : "a file cannot be read")
            + ".");
  }

  private List<FileTime> times() throws IOException {
    return List.of(
        Files.getLastModifiedTime(files.certificate()),
        Files.getLastModifiedTime(files.privateKey()));
  }

  private void use(SslContextFactory factory) throws IOException {
    PemKeyStore store = PemKeyStore.read(files.certificate(), files.privateKey());
    factory.setKeyStore(store.keys());
    factory.setKeyStorePassword(store.password());
  }

  /**
   * Reloads the files if their modification times have changed. If they cannot be used, the failure
   * is logged, the previous certificate stays in use, and the files are read again at their next
   * change.
   */
  private void reloadIfChanged() {
    try {
      List<FileTime> now = times();
      if (now.equals(seen)) {
        return;
      }
      seen = now;
      // Read before the reload, since a failed reload would leave no certificate in use.
      PemKeyStore.read(files.certificate(), files.privateKey());
      contexts.reload(this::useAgain);
      LOG.info("The TLS certificate was changed and is used from now on");
    } catch (Exception unusable) {
      LOG.warn(
          "The changed TLS certificate or key cannot be used; the one before stays: {}",
          unusable.getClass().getName());
    }
  }

  private void useAgain(SslContextFactory factory) {
    try {
      use(factory);
    } catch (IOException changedAgain) {
      throw new IllegalStateException("the TLS files changed while they were read");
    }
  }

  SslContextFactory.Server contexts() {
    return contexts;
  }

  @Override
  public void close() {
    watch.shutdownNow();
  }
}
