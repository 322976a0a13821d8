package io.tokenvault.adapters.http.server;

import io.javalin.Javalin;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.DefaultHandler;

/**
 * Loads Jetty's and Javalin's classes by serving one request in memory, which shortens the start.
 */
public final class JettyPreloader {

  private JettyPreloader() {}

  /**
   * Serves the request. Opens no port, and fails with an unchecked exception if Jetty cannot start.
   */
  public static void jetty() {
    Javalin.create(
        config -> {
          config.startup.showJavalinBanner = false;
          config.startup.startupWatcherEnabled = false;
        });
    Server server = new Server();
    LocalConnector memory = new LocalConnector(server);
    server.addConnector(memory);
    server.setHandler(new DefaultHandler(false, false));
    try {
      server.start();
      memory.getResponse("GET / HTTP/1.0\r\n\r\n");
      server.stop();
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }
}
