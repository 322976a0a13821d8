package io.tokenvault.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.engine.forward.ForwardTimeouts;
import io.tokenvault.engine.forward.egress.HostResolver;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ProxyResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Permitted destinations, TLS and failed connections. DestinationTest and PublicAddressesTest cover
 * all forms of URLs and addresses.
 */
@Execution(ExecutionMode.CONCURRENT)
class EgressTest {

  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  @AutoClose private final EngineFixture fixture = new EngineFixture();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://api.example.test./",
        "https://intranet/",
        "http://api.example.test/",
        "https://user@api.example.test/",
        ""
      })
  void urlOtherThanPublicHttpsIsRejectedBeforeAnythingElse(String url) {
    fixture.call().to(url).assertRefused(FailureCause.DESTINATION_INVALID);
    assertThat(fixture.vault.events()).isEmpty();
  }

  @Test
  void nameWithOnePrivateAddressIsRejected() throws Exception {
    InetAddress publicAddress = InetAddress.getByName("93.184.216.34");
    try (ProxyEngine engine = fixture.newEngine(host -> List.of(publicAddress, LOOPBACK))) {
      assertThat(assertUnresolved(engine, "public.example.test")).contains("public.example.test");
    }
    assertThat(fixture.destination.connections()).isZero();
  }

  /** Asserts that a host is not resolved, and returns the text that the caller receives. */
  private String assertUnresolved(ProxyEngine engine, String host) {
    String url = "https://" + host + ":" + fixture.destination.port();
    return fixture.get().to(url).assertRefused(FailureCause.DESTINATION_UNRESOLVED, engine);
  }

  @Test
  void closedPortIsUnreachable() throws Exception {
    // Bound without listening, so that no other process can use the port during the test.
    try (Socket bound = new Socket()) {
      bound.bind(new InetSocketAddress(LOOPBACK, 0));
      fixture
          .call()
          .to(EngineFixture.urlAt(bound.getLocalPort()))
          .assertRefused(FailureCause.DESTINATION_UNREACHABLE);
    }
  }

  @Test
  void serverThatDoesNotSpeakTlsIsNotTrusted() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 50, LOOPBACK)) {
      handleConnection(
          server,
          socket -> {
            socket.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(UTF_8));
            socket.getInputStream().read();
          });
      fixture
          .call()
          .to(EngineFixture.urlAt(server.getLocalPort()))
          .assertRefused(FailureCause.DESTINATION_UNTRUSTED);
    }
  }

  // So some destinations reject a client certificate.
  @Test
  void resetDuringHandshakeIsFailureOfTls() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 50, LOOPBACK)) {
      handleConnection(
          server,
          socket -> {
            socket.getInputStream().read();
            socket.setSoLinger(true, 0);
          });
      fixture
          .call()
          .to(EngineFixture.urlAt(server.getLocalPort()))
          .assertRefused(FailureCause.DESTINATION_UNTRUSTED);
    }
  }

  @Test
  void rejectionAfterHandshakeNamesClientCertificate() throws Exception {
    SSLSocketFactory tls = fixture.serverCertificates(EngineFixture.HOST).sslSocketFactory();
    try (ServerSocket server = new ServerSocket(0, 50, LOOPBACK)) {
      handleConnection(server, socket -> requireCertificate(tls, socket));

      String message =
          fixture
              .call()
              .to(EngineFixture.urlAt(server.getLocalPort()))
              .assertRefused(FailureCause.DESTINATION_BROKE_OFF);

      assertThat(message).contains("client certificate");
    }
  }

  /** Rejects a client without a certificate, and reads until it disconnects. */
  private static void requireCertificate(SSLSocketFactory tls, Socket socket) throws IOException {
    SSLSocket secured = (SSLSocket) tls.createSocket(socket, null, false);
    secured.setEnabledProtocols(new String[] {"TLSv1.3"});
    secured.setNeedClientAuth(true);
    assertThatThrownBy(secured::startHandshake).isInstanceOf(SSLException.class);
    socket.getInputStream().readAllBytes();
  }

  /** Server side of one connection. */
  private interface ConnectionHandler {
    void handle(Socket socket) throws IOException, InterruptedException;
  }

  private static void handleConnection(ServerSocket server, ConnectionHandler handler) {
    Thread thread =
        new Thread(
            () -> {
              try (Socket socket = server.accept()) {
                handler.handle(socket);
              } catch (IOException | InterruptedException ended) {
                return;
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  @Test
  void certificateOfAnotherHostOrAuthorityOrTimeIsRefused() throws Exception {
    HeldCertificate unknown =
        new HeldCertificate.Builder().certificateAuthority(0).ecdsa256().build();
    HeldCertificate selfSigned =
        new HeldCertificate.Builder()
            .addSubjectAlternativeName(EngineFixture.HOST)
            .ecdsa256()
            .build();

    assertUntrusted(EngineFixture.AUTHORITY, "other.example.test", 1);
    assertUntrusted(EngineFixture.AUTHORITY, EngineFixture.HOST, -1);
    assertUntrusted(unknown, EngineFixture.HOST, 1);
    try (RawDestination impostor =
        new RawDestination(
            new HandshakeCertificates.Builder().heldCertificate(selfSigned).build().sslContext())) {
      assertUntrusted(impostor);
    }
  }

  private void assertUntrusted(HeldCertificate authority, String host, int days)
      throws IOException {
    long now = System.currentTimeMillis();
    long day = TimeUnit.DAYS.toMillis(1);
    HeldCertificate certificate =
        new HeldCertificate.Builder()
            .signedBy(authority)
            .addSubjectAlternativeName(host)
            .validityInterval(now - 3 * day, now + days * day)
            .ecdsa256()
            .build();
    try (RawDestination impostor =
        new RawDestination(EngineFixture.serverCertificates(certificate, authority).sslContext())) {
      assertUntrusted(impostor);
    }
  }

  private void assertUntrusted(RawDestination impostor) {
    String message =
        fixture
            .call()
            .to(EngineFixture.urlAt(impostor.port()))
            .assertRefused(FailureCause.DESTINATION_UNTRUSTED);
    assertThat(message)
        .isEqualTo("Could not establish a trusted TLS connection to api.example.test.");
    assertThat(impostor.waiting()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1", "TLSv1.1"})
  void oldTlsIsRefused(String version) throws Exception {
    // The platform may disable the version for the server as well.
    try (RawDestination outdated = destinationWithTls(version)) {
      assertUntrusted(outdated);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void newTlsIsAccepted(String version) throws Exception {
    try (RawDestination current = destinationWithTls(version)) {
      fixture.get().to(EngineFixture.urlAt(current.port())).send();

      assertThat(current.take().requestLine()).isEqualTo("GET / HTTP/1.1");
    }
  }

  private RawDestination destinationWithTls(String version) throws IOException {
    return new RawDestination(fixture.serverCertificates(EngineFixture.HOST).sslContext(), version);
  }

  @Test
  void slowResponseTimesOut() throws Exception {
    fixture.destination.respondAndStall("");
    try (ProxyEngine engine = fixture.newEngine(Duration.ofMillis(800), EngineFixture.TIMEOUT)) {
      fixture.get().assertRefused(FailureCause.ANSWER_TIMEOUT, engine);
    }
    fixture.destination.take();
    assertThat(fixture.destination.waiting()).isZero();
  }

  @Test
  void startedResponseMayPauseLonger() throws Exception {
    fixture.destination.respondWith(
        (request, out) -> {
          out.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na".getBytes(UTF_8));
          out.flush();
          Thread.sleep(3_300);
          out.write('b');
          return true;
        });
    try (ProxyEngine engine = fixture.newEngine(Duration.ofSeconds(3), EngineFixture.TIMEOUT);
        ProxyResponse response = fixture.get().open(engine)) {
      assertThat(response.body().readAllBytes()).asString().isEqualTo("ab");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST"})
  void connectionClosedByDestinationIsNotReused(String method) throws Exception {
    fixture.call().method(method).delivered();
    fixture.destination.dropConnections();

    fixture.call().method(method).delivered();

    assertThat(fixture.destination.connections()).isEqualTo(2);
  }

  /** The name resolves to a public address first and to a private one afterwards. */
  @Test
  void connectedAddressIsCheckedAddressDespiteRebinding() throws Exception {
    AtomicInteger lookups = new AtomicInteger();
    InetAddress notListening = InetAddress.getByName("93.184.216.34");
    HostResolver rebinding =
        host -> List.of(lookups.getAndIncrement() == 0 ? notListening : LOOPBACK);
    String url = "https://rebinding.example.test:" + fixture.destination.port();
    ProxyCall call = byProxy(url, Duration.ofSeconds(4)).build();
    try (ProxyEngine engine = fixture.newEngine(rebinding)) {
      FailureCause first =
          catchThrowableOfType(VaultException.class, () -> engine.invoke(call)).failure();
      assertThat(first).isIn(FailureCause.CONNECT_TIMEOUT, FailureCause.DESTINATION_UNREACHABLE);
      assertThat(lookups).as("DNS lookups for one request").hasValue(1);
      assertUnresolved(engine, "rebinding.example.test");
    }
    assertThat(fixture.destination.connections()).isZero();
  }

  @Test
  void nextAddressIsTriedAfterRefusedConnection() throws Exception {
    InetAddress refusing = InetAddress.getByName("127.0.0.2");
    try (ProxyEngine engine = fixture.newEngine(host -> List.of(refusing, LOOPBACK))) {
      assertThat(fixture.get().send(engine).status()).isEqualTo(200);
    }
    fixture.destination.take();
    assertThat(fixture.destination.waiting()).isZero();
  }

  @Test
  void tricklingHandshakeDoesNotExtendTimeout() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 50, LOOPBACK);
        ProxyEngine engine =
            fixture.newEngine(
                new ForwardTimeouts(
                    Duration.ofMillis(800), EngineFixture.TIMEOUT, EngineFixture.TIMEOUT))) {
      handleConnection(
          server,
          socket -> {
            // Header of a TLS record of 16 KiB.
            socket.getOutputStream().write(new byte[] {22, 3, 3, 64, 0});
            while (true) {
              socket.getOutputStream().write(0);
              Thread.sleep(100);
            }
          });
      fixture
          .call()
          .to(EngineFixture.urlAt(server.getLocalPort()))
          .assertRefused(FailureCause.CONNECT_TIMEOUT, engine);
    }
  }

  @Test
  void shortProxyTimeoutAlsoLimitsConnecting() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 50, LOOPBACK)) {
      byProxy(EngineFixture.urlAt(server.getLocalPort()), Duration.ofMillis(200))
          .assertRefused(FailureCause.CONNECT_TIMEOUT);
    }
  }

  private EngineFixture.Call byProxy(String url, Duration timeout) {
    return fixture.call().byProxyKey(fixture.vault.proxyKey(url, timeout));
  }
}
