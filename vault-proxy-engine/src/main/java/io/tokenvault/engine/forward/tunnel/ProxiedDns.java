package io.tokenvault.engine.forward.tunnel;

import io.tokenvault.engine.forward.egress.AddressRefusedException;
import io.tokenvault.engine.forward.egress.HostResolver;
import io.tokenvault.engine.forward.egress.LookupsBusyException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import okhttp3.Dns;

/**
 * Gives the forward proxy's addresses for every destination that may be reached through it. They
 * carry the destination's name, by which {@link TunnelSocket} asks for it.
 */
public final class ProxiedDns implements Dns {

  private final Dns destinations;
  private final HostResolver resolver;
  private final ForwardProxy proxy;

  public ProxiedDns(Dns destinations, HostResolver resolver, ForwardProxy proxy) {
    this.destinations = destinations;
    this.resolver = resolver;
    this.proxy = proxy;
  }

  @Override
  public List<InetAddress> lookup(String host) throws UnknownHostException {
    requireAllowed(host);
    List<InetAddress> named = new ArrayList<>();
    for (InetAddress address : addresses()) {
      named.add(InetAddress.getByAddress(host, address.getAddress()));
    }
    return named;
  }

  private void requireAllowed(String host) throws UnknownHostException {
    try {
      destinations.lookup(host);
    } catch (AddressRefusedException | LookupsBusyException unjudged) {
      throw unjudged;
    } catch (UnknownHostException leftToTheProxy) {
      // It may know names that we do not.
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

  /** The name of the operator's forward proxy does not resolve. */
  public static final class ForwardProxyUnknownException extends UnknownHostException {
    private static final long serialVersionUID = 1L;
  }
}
