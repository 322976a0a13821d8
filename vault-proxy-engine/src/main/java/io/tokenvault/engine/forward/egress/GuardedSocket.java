package io.tokenvault.engine.forward.egress;

import io.tokenvault.domain.proxy.EgressPolicy;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.FilterInputStream;
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
import javax.net.ssl.SSLException;

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
   * The bytes below a TLS connection to a destination.
   *
   * <p>Reading stops at TLS's own end, so the end of these bytes means that the connection was cut.
   * Java would treat that as a normal end, and a truncated response as complete.
   *
   * <p>For HTTP/1.1, it also limits the overhead of a response: the head, with informational
   * responses before it, and what stands around the content of a body. OkHttp keeps a line with the
   * size of a chunk in memory, however long it is. Used by one exchange at a time.
   */
  public static final class TransportStream extends FilterInputStream {

    /** Twice the size of the largest head that OkHttp reads, in bytes. */
    private static final long MAX_HEAD = 512 * 1024;

    /**
     * Several TLS records, in bytes. A read of a body needs one, and its chunk's line or trailers.
     */
    private static final long MAX_PART = 64 * 1024;

    private final Closeable connection;
    private long permitted = Long.MAX_VALUE;
    private boolean exceeded;

    /**
     * Creates a stream without a limit.
     *
     * @param connection closes the connection at once. Otherwise TLS would send an alert about the
     *     failure, and wait for a destination that does not read
     */
    public TransportStream(InputStream transport, Closeable connection) {
      super(transport);
      this.connection = connection;
    }

    /** Limits what is read before {@link #expectContent} to the size of a head. */
    public void expectHead() {
      permitted = MAX_HEAD;
    }

    /** Limits what is read before the next call to the size of a part of a body. */
    public void expectContent() {
      permitted = MAX_PART;
    }

    /** Returns whether a limit was exceeded. */
    public boolean isExceeded() {
      return exceeded;
    }

    @Override
    public int read() throws IOException {
      int result = super.read();
      check(result < 0, 1);
      return result;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int count = super.read(buffer, offset, length);
      check(count < 0, count);
      return count;
    }

    private void check(boolean ended, int count) throws IOException {
      if (ended) {
        throw failure("the connection ended before TLS did");
      }
      permitted -= count;
      if (permitted < 0) {
        exceeded = true;
        throw failure("too many bytes around the content");
      }
    }

    private SSLException failure(String text) throws IOException {
      connection.close();
      return new SSLException(text);
    }
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
