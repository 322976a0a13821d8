package io.tokenvault.engine.forward.egress;

import java.net.InetAddress;
import java.net.Socket;
import java.util.function.Supplier;
import javax.net.SocketFactory;

/** Makes sockets of one kind, which check for themselves what they are connected to. */
public final class GuardedSocketFactory extends SocketFactory {

  private final Supplier<Socket> unconnected;

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
