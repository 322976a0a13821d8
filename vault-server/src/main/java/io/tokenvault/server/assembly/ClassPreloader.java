package io.tokenvault.server.assembly;

import io.tokenvault.adapters.http.VaultHttpServer;
import io.tokenvault.server.json.JacksonJson;
import io.tokenvault.server.metrics.VaultMetrics;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads classes of the server on a background thread while its database starts.
 *
 * <p>Without it the starting thread would load them one after the other. It only shortens the
 * start: no code depends on it, and a failure has no effect.
 */
public final class ClassPreloader {

  private static final Logger LOG = LoggerFactory.getLogger(ClassPreloader.class);

  private ClassPreloader() {}

  /** Starts loading on a daemon thread and returns at once. */
  public static void begin() {
    Thread thread = new Thread(ClassPreloader::preload, "head-start");
    thread.setDaemon(true);
    thread.start();
  }

  private static void preload() {
    try {
      VaultHttpServer.preload();
      VaultMetrics.preload();
      SSLContext.getDefault();
      new JacksonJson().read("{}".getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException | RuntimeException failed) {
      LOG.debug("Some classes were not loaded ahead: {}", failed.getClass().getName());
    }
  }
}
