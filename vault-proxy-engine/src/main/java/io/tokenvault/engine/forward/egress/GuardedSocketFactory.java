package io.tokenvault.engine.forward.egress;

import java.net.InetAddress;
import java.net.Socket;
import java.util.function.Supplier;
import javax.net.SocketFactory;

/**
 * Creates unconnected sockets of one kind, which check the address when they are connected. The
 * methods that would connect at once are not supported.
 */
public final class GuardedSocketFactory extends SocketFactory {

  private final Supplier<Socket> unconnected;

  /**
   * Creates a factory.
   *
   * @param unconnected creates a socket that checks addresses
   */
  public GuardedSocketFactory(Supplier<Socket> unconnected) {
    this.unconnected = unconnected;
  }

  @Override
  public Socket createSocket() {
    return unconnected.get();
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw unguarded();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
    throw unguarded();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw unguarded();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
    throw unguarded();
  }

  private static UnsupportedOperationException unguarded() {
    return new UnsupportedOperationException("sockets are connected by their guarded connect only");
  }
}
