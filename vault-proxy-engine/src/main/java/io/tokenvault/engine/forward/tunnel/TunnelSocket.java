package io.tokenvault.engine.forward.tunnel;

import io.tokenvault.engine.forward.egress.AddressRefusedException;
import io.tokenvault.engine.forward.egress.TruncationCheckStream;
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
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * A socket that connects to a destination through the operator's forward proxy. It must be
 * connected to an address from {@link ProxiedDns}: one of the proxy that carries the destination's
 * name.
 */
public final class TunnelSocket extends Socket {

  private final ForwardProxy proxy;
  private final SSLSocketFactory tls;
  private volatile SSLSocket secured;
  private volatile boolean open;

  /**
   * Creates an unconnected socket.
   *
   * @param tls creates TLS connections to the proxy itself
   */
  public TunnelSocket(ForwardProxy proxy, SSLSocketFactory tls) {
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
    dial(destination.getAddress(), timeout);
    if (proxy.tls()) {
      secure();
    }
    ConnectTunnel.open(this, destination, proxy.authorization());
    open = true;
  }

  /**
   * Requires an address with a name. One without is not from {@link ProxiedDns}, but a destination
   * that OkHttp considers to be an address.
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

  /** Connects to the proxy. */
  private void dial(InetAddress address, int timeout) throws IOException {
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
    InputStream transport = super.getInputStream();
    InputStream content =
        secured == null ? transport : new Decrypted(secured.getInputStream(), transport);
    return open ? new TruncationCheckStream(content) : content;
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return secured == null ? super.getOutputStream() : secured.getOutputStream();
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
