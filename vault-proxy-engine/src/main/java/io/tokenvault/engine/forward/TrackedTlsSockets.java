package io.tokenvault.engine.forward;

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
 * Makes TLS connections, and can tell of one that waited for its next request whether the
 * destination has closed it meanwhile. OkHttp looks only after ten seconds, and does not repeat a
 * request that went into a closed connection.
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
    links.put(secured, new Link(transport));
    return secured;
  }

  /** Whether this connection is of no more use. To be asked once before each request on it. */
  boolean isClosedByPeer(Socket secured) throws IOException {
    Link link = links.get(secured);
    return link != null && link.isClosedByPeer(secured);
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

  private static UnsupportedOperationException unguarded() {
    return new UnsupportedOperationException("TLS runs over guarded sockets only");
  }

  /** The transport under a TLS connection. Used by one request at a time. */
  private static final class Link {

    private static final long RESTED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Socket transport;
    private boolean used;
    private long lastAsked;

    Link(Socket transport) {
      this.transport = transport;
    }

    boolean isClosedByPeer(Socket secured) throws IOException {
      long now = System.nanoTime();
      boolean rested = now - lastAsked > RESTED_NANOS;
      lastAsked = now;
      if (!used) {
        used = true;
        return false;
      }
      if (secured.getInputStream().available() > 0) {
        return true;
      }
      // A peer that closes says so first, as a rule; what waits unread is that, or harmless. One
      // that ends without a word is found by reading only, which costs time.
      return (rested || transport.getInputStream().available() > 0) && hasEnded(secured);
    }

    private static boolean hasEnded(Socket secured) throws IOException {
      int timeout = secured.getSoTimeout();
      try {
        secured.setSoTimeout(1);
        // Neither an end nor an answer to nothing leaves the connection in a usable state.
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
