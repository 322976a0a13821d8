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
public record GuardedDns(EgressPolicy policy, HostResolver resolver) implements Dns {

  /**
   * Returns the addresses of a name.
   *
   * @throws AddressRefusedException if the policy forbids one of them
   * @throws UnknownHostException if the name does not resolve
   */
  @Override
  public List<InetAddress> lookup(String host) throws UnknownHostException {
    List<InetAddress> named = named(host, resolver.resolve(host));
    if (!policy.mayDialAll(host, named)) {
      throw new AddressRefusedException();
    }
    return named;
  }

  /** Returns addresses that carry a host name. */
  public static List<InetAddress> named(String host, List<InetAddress> addresses)
      throws UnknownHostException {
    List<InetAddress> named = new ArrayList<>();
    for (InetAddress address : addresses) {
      named.add(InetAddress.getByAddress(host, address.getAddress()));
    }
    return named;
  }
}
