package io.tokenvault.engine.forward;

import io.tokenvault.engine.forward.ForwardProxy.ForwardProxyException;
import io.tokenvault.engine.forward.egress.GuardedSocket.AddressRefusedException;
import io.tokenvault.engine.forward.egress.TrackedTlsSockets.TransportStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * A socket that connects to a destination through the operator's forward proxy. It must be
 * connected to an address from {@link HttpClients.ProxiedDns}: one of the proxy that carries the
 * destination's name.
 */
final class TunnelSocket extends Socket {

  /** Largest head of the proxy's response, in bytes. */
  private static final int MAX_HEAD = 64 * 1024;

  private static final String END = "\r\n\r\n";
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([0-9]{3})[ \r]");

  private final ForwardProxy proxy;
  private final SSLSocketFactory tls;
  private volatile SSLSocket secured;
  private volatile TransportStream received;

  /**
   * Creates an unconnected socket.
   *
   * @param tls creates TLS connections to the proxy itself
   */
  TunnelSocket(ForwardProxy proxy, SSLSocketFactory tls) {
    super(Proxy.NO_PROXY);
    this.proxy = proxy;
    this.tls = tls;
  }

  @Override
  public void connect(SocketAddress endpoint) throws IOException {
    connect(endpoint, 0);
  }

  /**
   * Connects to the proxy and opens a tunnel to the destination.
   *
   * @param timeout for the TCP connection, in milliseconds; 0 for none
   * @throws ForwardProxyException if the proxy cannot be reached or does not open the tunnel
   */
  @Override
  public void connect(SocketAddress endpoint, int timeout) throws IOException {
    InetSocketAddress destination = requireNamed(endpoint);
    setTcpNoDelay(true);
    connectToProxy(destination.getAddress(), timeout);
    if (proxy.tls()) {
      secure();
    }
    openTunnel(destination);
    received = new TransportStream(getInputStream(), super::close);
  }

  /**
   * Requires an address with a name. One without is not from {@link HttpClients.ProxiedDns}, but a
   * destination that OkHttp considers to be an address.
   */
  private static InetSocketAddress requireNamed(SocketAddress endpoint)
      throws AddressRefusedException {
    if (endpoint instanceof InetSocketAddress address
        && !address.isUnresolved()
        && !address.getHostString().equals(address.getAddress().getHostAddress())) {
      return address;
    }
    throw new AddressRefusedException();
  }

  private void connectToProxy(InetAddress address, int timeout) throws IOException {
    try {
      super.connect(
          new InetSocketAddress(InetAddress.getByAddress(address.getAddress()), proxy.port()),
          timeout);
    } catch (SocketTimeoutException slow) {
      throw slow;
    } catch (IOException failed) {
      throw ForwardProxyException.unreachable();
    }
  }

  /** Starts TLS with the proxy and verifies its name. */
  private void secure() throws IOException {
    try {
      SSLSocket outer = (SSLSocket) tls.createSocket(this, proxy.host(), proxy.port(), true);
      SSLParameters parameters = outer.getSSLParameters();
      parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      outer.setSSLParameters(parameters);
      outer.startHandshake();
      secured = outer;
    } catch (SSLException untrusted) {
      throw ForwardProxyException.untrusted();
    }
  }

  /**
   * Returns the received bytes; once the tunnel is open, their end is a failure, as for a direct
   * connection.
   */
  @Override
  public InputStream getInputStream() throws IOException {
    if (received != null) {
      return received;
    }
    InputStream transport = super.getInputStream();
    return secured == null ? transport : new Decrypted(secured.getInputStream(), transport);
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return secured == null ? super.getOutputStream() : secured.getOutputStream();
  }

  /**
   * Requests a tunnel from the forward proxy with {@code CONNECT} (RFC 9110, section 9.3.6),
   * without retries.
   *
   * @param destination its name, not its address, is sent to the proxy
   * @throws ForwardProxyException if the proxy does not open the tunnel
   * @throws SocketTimeoutException if it does not respond in time
   */
  private void openTunnel(InetSocketAddress destination) throws IOException {
    try {
      String authority = destination.getHostString() + ":" + destination.getPort();
      getOutputStream().write(head(authority, proxy.authorization()));
      getOutputStream().flush();
      requireGranted(readHead(getInputStream()));
    } catch (SocketTimeoutException | ForwardProxyException error) {
      throw error;
    } catch (IOException brokenOff) {
      throw ForwardProxyException.refused();
    }
  }

  private static byte[] head(String authority, Optional<String> authorization) {
    String credentials =
        authorization.map(value -> "Proxy-Authorization: " + value + "\r\n").orElse("");
    String head =
        "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n" + credentials + "\r\n";
    return head.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Reads the head of the response byte by byte, because the bytes after it are the destination's.
   */
  private static String readHead(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int matched = 0;
    while (matched < END.length()) {
      int next = in.read();
      if (next < 0 || head.size() == MAX_HEAD) {
        throw ForwardProxyException.refused();
      }
      head.write(next);
      matched = next == END.charAt(matched) ? matched + 1 : next == '\r' ? 1 : 0;
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }

  /** Requires a successful status. */
  private static void requireGranted(String head) throws ForwardProxyException {
    Matcher status = STATUS.matcher(head);
    if (!status.lookingAt()) {
      throw ForwardProxyException.refused();
    }
    if (status.group(1).equals("407")) {
      throw ForwardProxyException.unauthenticated();
    }
    if (!status.group(1).startsWith("2")) {
      throw ForwardProxyException.refused();
    }
  }

  /** Decrypted bytes; bytes count as available as soon as encrypted ones have arrived. */
  private static final class Decrypted extends FilterInputStream {

    private final InputStream encrypted;

    Decrypted(InputStream decrypted, InputStream encrypted) {
      super(decrypted);
      this.encrypted = encrypted;
    }

    @Override
    public int available() throws IOException {
      return Math.max(super.available(), encrypted.available());
    }
  }
}
