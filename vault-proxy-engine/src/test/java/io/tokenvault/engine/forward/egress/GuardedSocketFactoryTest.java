package io.tokenvault.engine.forward.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.engine.forward.egress.GuardedSocket.AddressRefusedException;
import io.tokenvault.engine.forward.egress.GuardedSocket.GuardedSocketFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the address check at connection time, which does not rely on name resolution. */
class GuardedSocketFactoryTest {

  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  private final GuardedSocketFactory sockets =
      new GuardedSocketFactory(
          () ->
              new GuardedSocket(
                  new EgressPolicy(Optional.empty(), Set.of("private.example.test"), Set.of())));

  @Test
  void connectionToReboundPrivateAddressIsRejected() throws Exception {
    assertRefused(InetAddress.getByAddress("public.example.test", LOOPBACK));
  }

  @Test
  void connectionToPrivateAddressWithoutNameIsRejected() throws Exception {
    assertRefused(InetAddress.getByAddress(LOOPBACK));
    assertRefused(InetAddress.getByName("::1"));
    assertRefused(InetAddress.getByName("0.0.0.0"));
    assertRefused(InetAddress.getByName("::ffff:127.0.0.1"));
  }

  private void assertRefused(InetAddress address) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket socket = sockets.createSocket()) {
      InetSocketAddress endpoint = new InetSocketAddress(address, server.getLocalPort());

      assertThatThrownBy(() -> socket.connect(endpoint))
          .isInstanceOf(AddressRefusedException.class);
      assertThatThrownBy(() -> socket.connect(endpoint, 100))
          .isInstanceOf(AddressRefusedException.class);
      assertThat(socket.isConnected()).isFalse();
    }
  }

  @Test
  void connectionToAllowedPrivateHostSucceeds() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket socket = sockets.createSocket()) {
      socket.connect(
          new InetSocketAddress(
              InetAddress.getByAddress("private.example.test", LOOPBACK), server.getLocalPort()),
          1_000);

      assertThat(socket.isConnected()).isTrue();
    }
  }

  @Test
  void otherSocketCreationMethodsAreUnsupported() {
    InetAddress address = InetAddress.getLoopbackAddress();

    assertThatThrownBy(() -> sockets.createSocket("127.0.0.1", 443))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> sockets.createSocket(address, 443))
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
