package io.tokenvault.engine.forward.egress;

import io.tokenvault.domain.proxy.EgressPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketAddress;

/**
 * A socket that checks the address it connects to. This is the last check: OkHttp does not call its
 * {@code Dns} for a host that it considers to be an address, and no DNS response can replace the
 * address after this point.
 */
public final class GuardedSocket extends Socket {

  private final EgressPolicy policy;

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

  /** Returns the bytes below TLS; their end without TLS's own is a failure. */
  @Override
  public InputStream getInputStream() throws IOException {
    return new TruncationCheckStream(super.getInputStream());
  }

  /** Returns whether the policy allows the address for the name that it was found for. */
  private boolean mayDial(SocketAddress endpoint) {
    return endpoint instanceof InetSocketAddress address
        && !address.isUnresolved()
        && policy.mayDial(address.getHostString(), address.getAddress());
  }
}
