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
 * Loads classes that a server needs while its database starts, which the starting thread would load
 * one after the other. Nothing depends on it.
 */
public final class ClassPreloader {

  private static final Logger LOG = LoggerFactory.getLogger(ClassPreloader.class);

  private ClassPreloader() {}

  /** Begins, and returns. */
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
