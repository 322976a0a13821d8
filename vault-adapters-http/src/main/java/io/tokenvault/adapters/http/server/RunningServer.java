package io.tokenvault.adapters.http.server;

/** A server that accepts requests until it is closed. */
public interface RunningServer extends AutoCloseable {

  /** Returns the port that the server listens on, also if it was selected automatically. */
  int port();

  /**
   * Begins draining: the readiness check fails from now on, so that load balancers send requests
   * elsewhere, and each response closes its connection. New requests are still served.
   */
  void leave();

  /**
   * Stops accepting requests and waits for those in progress, up to the configured stop timeout;
   * then aborts them.
   */
  @Override
  void close();
}
