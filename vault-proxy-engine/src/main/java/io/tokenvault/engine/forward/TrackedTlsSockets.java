package io.tokenvault.engine.forward;

import io.tokenvault.engine.forward.egress.GuardedSocket.TransportStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocketFactory;

/**
 * Creates TLS sockets and detects whether the destination has closed a pooled one. OkHttp checks a
 * connection only after ten idle seconds, and does not repeat a request that was written to a
 * closed connection.
 */
final class TrackedTlsSockets extends SSLSocketFactory {

  private final SSLSocketFactory tls;
  private final Map<Socket, Link> links = Collections.synchronizedMap(new WeakHashMap<>());

  TrackedTlsSockets(SSLSocketFactory tls) {
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
  boolean isClosedByPeer(Socket secured) throws IOException {
    return links.get(secured).isClosedByPeer(secured);
  }

  /** Returns the bytes below a TLS connection. */
  TransportStream transport(Socket secured) {
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
      return (idle || transport.available() > 0) && hasEnded(secured);
    }

    /** Reads for a millisecond; returns whether the stream has ended or has unsolicited data. */
    private static boolean hasEnded(Socket secured) throws IOException {
      int timeout = secured.getSoTimeout();
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
}
