package io.tokenvault.engine.forward.egress;

import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.engine.forward.egress.TrackedTlsSockets.TransportStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.function.Supplier;
import javax.net.SocketFactory;

/**
 * A socket that checks the address it connects to. This is the last check: OkHttp does not call its
 * {@code Dns} for a host that it considers to be an address, and no DNS response can replace the
 * address after this point.
 */
public final class GuardedSocket extends Socket {

  private final EgressPolicy policy;
  private TransportStream received;

  /** Creates an unconnected socket that ignores the proxy settings of the JVM. */
  public GuardedSocket(EgressPolicy policy) {
    super(Proxy.NO_PROXY);
    this.policy = policy;
  }

  @Override
  public void connect(SocketAddress endpoint) throws IOException {
    connect(endpoint, 0);
  }

  /**
   * Connects to an address.
   *
   * @param timeout in milliseconds; 0 for none
   * @throws AddressRefusedException if the policy forbids the address
   */
  @Override
  public void connect(SocketAddress endpoint, int timeout) throws IOException {
    if (!mayDial(endpoint)) {
      throw new AddressRefusedException();
    }
    // The body is sent right after the head, without waiting until the head is acknowledged.
    setTcpNoDelay(true);
    super.connect(endpoint, timeout);
  }

  /**
   * Returns the bytes below TLS; their end without TLS's own is a failure. They are buffered, since
   * TLS reads the head and the content of each record separately.
   */
  @Override
  public synchronized InputStream getInputStream() throws IOException {
    if (received == null) {
      received = new TransportStream(new BufferedInputStream(super.getInputStream()), this);
    }
    return received;
  }

  /** Returns whether the policy allows the address for the name that it was found for. */
  private boolean mayDial(SocketAddress endpoint) {
    return endpoint instanceof InetSocketAddress address
        && !address.isUnresolved()
        && policy.mayDial(address.getHostString(), address.getAddress());
  }

  /** Thrown if a host name has an address that the egress policy does not allow to connect to. */
  public static final class AddressRefusedException extends UnknownHostException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Creates unconnected sockets of one kind, which check the address when they are connected. The
   * methods that would connect at once are not supported.
   */
  public static final class GuardedSocketFactory extends SocketFactory {

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
      return new UnsupportedOperationException(
          "sockets are connected by their guarded connect only");
    }
  }
}
