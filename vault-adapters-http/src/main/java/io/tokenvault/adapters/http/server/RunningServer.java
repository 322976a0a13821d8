package io.tokenvault.adapters.http.server;

/** A server that answers requests. */
public interface RunningServer extends AutoCloseable {

  /** The port that it listens on. */
  int port();

  /**
   * Says from now on that it is not ready, so that a load balancer sends its requests elsewhere,
   * and ends each connection with the next answer. Everything that comes is still served.
   */
  void leave();

  /** Accepts nothing more and lets requests in flight finish, for as long as the settings allow. */
  @Override
  void close();
}
