package io.tokenvault.engine.forward.egress;

import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;

/**
 * Creates TLS sockets, exposes the bytes below TLS, and detects whether the destination has closed
 * a pooled connection. OkHttp checks a connection only after ten idle seconds, and does not repeat
 * a request that was written to a closed connection.
 */
public final class TrackedTlsSockets extends SSLSocketFactory {

  private final SSLSocketFactory tls;
  private final Map<Socket, Link> links = Collections.synchronizedMap(new WeakHashMap<>());

  public TrackedTlsSockets(SSLSocketFactory tls) {
    this.tls = tls;
  }

  @Override
  public Socket createSocket(Socket transport, String host, int port, boolean autoClose)
      throws IOException {
    Socket secured = tls.createSocket(transport, host, port, autoClose);
    links.put(secured, new Link((TransportStream) transport.getInputStream()));
    return secured;
  }

  /**
   * Returns whether a pooled connection is unusable. Must be called exactly once before each
   * request.
   */
  public boolean isClosedByPeer(Socket secured) throws IOException {
    return links.get(secured).isClosedByPeer(secured);
  }

  /** Returns the bytes below a TLS connection. */
  public TransportStream transport(Socket secured) {
    return links.get(secured).transport;
  }

  @Override
  public String[] getDefaultCipherSuites() {
    return tls.getDefaultCipherSuites();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return tls.getSupportedCipherSuites();
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw unguarded();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort) {
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

  /** Returns the failure of a method that would open a connection without the egress check. */
  private static UnsupportedOperationException unguarded() {
    return new UnsupportedOperationException("TLS runs over guarded sockets only");
  }

  /** The transport below a TLS connection. Used by one request at a time. */
  private static final class Link {

    /** Idle time after which a connection is checked by reading, even if no byte waits. */
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final TransportStream transport;
    private boolean used;
    private long lastChecked;

    Link(TransportStream transport) {
      this.transport = transport;
    }

    /** Returns whether the peer has closed the connection or sent unsolicited data. */
    boolean isClosedByPeer(Socket secured) throws IOException {
      long now = System.nanoTime();
      boolean idle = now - lastChecked > IDLE_NANOS;
      lastChecked = now;
      if (!used) {
        used = true;
        return false;
      }
      if (secured.getInputStream().available() > 0) {
        return true;
      }
      // A peer that closes normally announces it first, so unread bytes are that announcement or
      // harmless. A peer that disappears without it is detected by reading only, which costs time.
      return (idle || transport.available() > 0) && hasEnded(secured, transport);
    }

    /** Reads for a millisecond; returns whether the stream has ended or has unsolicited data. */
    private static boolean hasEnded(Socket secured, TransportStream transport) throws IOException {
      int timeout = secured.getSoTimeout();
      transport.expectSilence();
      try {
        secured.setSoTimeout(1);
        // Neither an end nor an unsolicited response leaves the connection usable.
        secured.getInputStream().read();
        return true;
      } catch (SocketTimeoutException harmless) {
        secured.setSoTimeout(timeout);
        return false;
      } catch (IOException cut) {
        return true;
      }
    }
  }

  /**
   * The bytes below a TLS connection to a destination.
   *
   * <p>Reading stops at TLS's own end, so the end of these bytes means that the connection was cut.
   * Java would treat that as a normal end, and a truncated response as complete.
   *
   * <p>For HTTP/1.1, it also limits the overhead of a response: the head, with informational
   * responses before it, and the bytes around the content of a body. OkHttp keeps a line with the
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
    private boolean expectsSilence;

    /**
     * Creates a stream without a limit.
     *
     * @param connection closes the connection at once. Otherwise TLS would announce the failure or
     *     the end, and wait as long again for a destination that hangs
     */
    public TransportStream(InputStream transport, Closeable connection) {
      super(transport);
      this.connection = connection;
    }

    /** Limits what is read before {@link #expectContent} to the size of a head. */
    public void expectHead() {
      permitted = MAX_HEAD;
      expectsSilence = false;
    }

    /** Leaves the connection open if nothing arrives in time, until the next head. */
    void expectSilence() {
      expectsSilence = true;
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
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int count = receive(buffer, offset, length);
      check(count < 0, count);
      return count;
    }

    private int receive(byte[] buffer, int offset, int length) throws IOException {
      try {
        return super.read(buffer, offset, length);
      } catch (SocketTimeoutException silent) {
        if (!expectsSilence) {
          connection.close();
        }
        throw silent;
      }
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
}
