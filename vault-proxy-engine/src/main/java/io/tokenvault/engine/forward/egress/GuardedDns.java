package io.tokenvault.engine.forward.egress;

import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.engine.forward.egress.GuardedSocket.AddressRefusedException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import okhttp3.Dns;

/**
 * Resolves host names and refuses those with an address that the egress policy forbids. The
 * addresses that it returns carry the name that they were found for, so that {@link GuardedSocket}
 * can check them again.
 */
public final class GuardedDns implements Dns {

  private final EgressPolicy policy;
  private final HostResolver resolver;

  public GuardedDns(EgressPolicy policy, HostResolver resolver) {
    this.policy = policy;
    this.resolver = resolver;
  }

  /**
   * Returns the addresses of a name.
   *
   * @throws AddressRefusedException if the policy forbids one of them
   * @throws UnknownHostException if the name does not resolve
   */
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
