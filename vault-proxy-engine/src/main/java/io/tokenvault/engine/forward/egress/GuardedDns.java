package io.tokenvault.engine.forward.egress;

import io.tokenvault.domain.proxy.EgressPolicy;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import okhttp3.Dns;

/**
 * Refuses names with an address that may not be dialled. The addresses it gives carry the name they
 * were found for, by which {@link GuardedSocketFactory} judges them again.
 */
public final class GuardedDns implements Dns {

  private final EgressPolicy policy;
  private final HostResolver resolver;

  public GuardedDns(EgressPolicy policy, HostResolver resolver) {
    this.policy = policy;
    this.resolver = resolver;
  }

  @Override
  public List<InetAddress> lookup(String host) throws UnknownHostException {
    List<InetAddress> named = new ArrayList<>();
    for (InetAddress address : resolver.resolve(host)) {
      named.add(InetAddress.getByAddress(host, address.getAddress()));
    }
    if (!policy.mayDialAll(host, named)) {
      throw new AddressRefusedException();
    }
    return named;
  }
}
