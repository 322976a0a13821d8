package io.tokenvault.engine.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.engine.forward.HttpClients.ProxiedDns;
import io.tokenvault.engine.forward.egress.DnsLookups.LookupsBusyException;
import io.tokenvault.engine.forward.egress.GuardedSocket.AddressRefusedException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which names are left to the forward proxy to resolve. */
class ProxiedDnsTest {

  private static final InetAddress PROXY = InetAddress.getLoopbackAddress();

  private static ProxiedDns failing(UnknownHostException failure) {
    return new ProxiedDns(
        host -> {
          throw failure;
        },
        host -> List.of(PROXY),
        ForwardProxy.at("proxy.test", 3128, false));
  }

  @Test
  void unknownNameIsLeftToProxy() throws Exception {
    ProxiedDns dns = failing(new UnknownHostException("api.example.test"));

    assertThat(dns.lookup("api.example.test"))
        .containsExactly(InetAddress.getByAddress("api.example.test", PROXY.getAddress()));
  }

  @Test
  void rejectedOrFailedLookupIsNotLeftToProxy() {
    assertThatThrownBy(() -> failing(new AddressRefusedException()).lookup("private.example.test"))
        .isInstanceOf(AddressRefusedException.class);
    assertThatThrownBy(() -> failing(new LookupsBusyException()).lookup("private.example.test"))
        .isInstanceOf(LookupsBusyException.class);
  }
}
