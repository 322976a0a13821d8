package io.tokenvault.engine.forward.tunnel;

import io.tokenvault.engine.forward.egress.DnsLookups.LookupsBusyException;
import io.tokenvault.engine.forward.egress.GuardedDns;
import io.tokenvault.engine.forward.egress.GuardedSocket.AddressRefusedException;
import io.tokenvault.engine.forward.egress.HostResolver;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import okhttp3.Dns;

/**
 * Returns the addresses of the forward proxy for every destination that may be reached through it.
 * They carry the name of the destination, which {@link TunnelSocket} sends to the proxy.
 *
 * @param destinations checks the addresses of destinations that resolve
 * @param resolver resolves the name of the proxy
 */
public record ProxiedDns(Dns destinations, HostResolver resolver, ForwardProxy proxy)
    implements Dns {

  /**
   * Returns the addresses of the proxy, with the name of the destination.
   *
   * @throws AddressRefusedException if the egress policy forbids an address of the destination
   * @throws ForwardProxyUnknownException if the name of the proxy does not resolve
   */
  @Override
  public List<InetAddress> lookup(String host) throws UnknownHostException {
    requireAllowed(host);
    return GuardedDns.named(host, addresses());
  }

  /** Applies the egress check to a destination that resolves. */
  private void requireAllowed(String host) throws UnknownHostException {
    try {
      destinations.lookup(host);
    } catch (AddressRefusedException | LookupsBusyException unjudged) {
      throw unjudged;
    } catch (UnknownHostException leftToTheProxy) {
      // The proxy may know names that do not resolve here.
      return;
    }
  }

  private List<InetAddress> addresses() throws UnknownHostException {
    try {
      return resolver.resolve(proxy.host());
    } catch (UnknownHostException unknown) {
      throw new ForwardProxyUnknownException();
    }
  }

  /** Thrown if the name of the operator's forward proxy does not resolve. */
  public static final class ForwardProxyUnknownException extends UnknownHostException {
    private static final long serialVersionUID = 1L;
  }
}
