package io.tokenvault.engine.forward.egress;

import io.tokenvault.domain.proxy.EgressPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketAddress;

/**
 * Checks the very address that is dialled: OkHttp does not ask its {@code Dns} for what it takes
 * for an address, and no answer can change after this check.
 */
public final class GuardedSocket extends Socket {

  private final EgressPolicy policy;

  public GuardedSocket(EgressPolicy policy) {
    super(Proxy.NO_PROXY);
    this.policy = policy;
  }

  @Override
  public void connect(SocketAddress endpoint) throws IOException {
    connect(endpoint, 0);
  }

  @Override
  public void connect(SocketAddress endpoint, int timeout) throws IOException {
    if (!mayDial(endpoint)) {
      throw new AddressRefusedException();
    }
    // A body goes right after its head, without waiting for the head to be acknowledged.
    setTcpNoDelay(true);
    super.connect(endpoint, timeout);
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return new TruncationCheckStream(super.getInputStream());
  }

  private boolean mayDial(SocketAddress endpoint) {
    return endpoint instanceof InetSocketAddress address
        && !address.isUnresolved()
        && policy.mayDial(address.getHostString(), address.getAddress());
  }
}
