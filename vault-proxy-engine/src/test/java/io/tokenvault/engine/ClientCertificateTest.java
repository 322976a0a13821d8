package io.tokenvault.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.FailureCode;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.engine.forward.ClientCertificates;
import io.tokenvault.engine.forward.ForwardTimeouts;
import io.tokenvault.engine.forward.Forwarder;
import io.tokenvault.engine.forward.Forwarder.NetworkAccess;
import io.tokenvault.engine.forward.OutgoingRequest;
import io.tokenvault.engine.forward.TrustedAuthorities;
import io.tokenvault.engine.forward.egress.HostResolver;
import io.tokenvault.ports.api.CallerPresence;
import io.tokenvault.ports.api.ProxyResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.Protocol;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Client certificates and the connections on which they are used. */
class ClientCertificateTest {

  private static final String PASSWORD = "a-password";

  @TempDir Path folder;
  private final HeldCertificate authority =
      new HeldCertificate.Builder().certificateAuthority(0).ecdsa256().build();
  private final MockWebServer server = new MockWebServer();
  private final Set<Integer> connectionIndexes = new HashSet<>();
  private Forwarder forwarder;

  @BeforeEach
  void start() throws Exception {
    HandshakeCertificates serverCertificates =
        new HandshakeCertificates.Builder()
            .heldCertificate(issue(EngineFixture.HOST, 1), authority.certificate())
            .addTrustedCertificate(authority.certificate())
            .build();
    server.useHttps(serverCertificates.sslSocketFactory());
    server.requestClientAuth();
    server.start();
    forwarder = forwarder(ClientCertificates.of(keystore(), PASSWORD.toCharArray()));
  }

  @AfterEach
  void stop() {
    forwarder.close();
    server.close();
  }

  private HeldCertificate issue(String name, int days) {
    long now = System.currentTimeMillis();
    return new HeldCertificate.Builder()
        .signedBy(authority)
        .commonName(name)
        .addSubjectAlternativeName(name)
        .validityInterval(now - TimeUnit.DAYS.toMillis(3), now + TimeUnit.DAYS.toMillis(days))
        .ecdsa256()
        .build();
  }

  private KeyStore keystore() throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    add(keys, "Acme", issue("acme", 1));
    add(keys, "other", issue("other", 1));
    add(keys, "expired", issue("expired", -1));
    keys.setCertificateEntry("authority", authority.certificate());
    return keys;
  }

  private void add(KeyStore keys, String alias, HeldCertificate held) throws Exception {
    PrivateKey key = held.keyPair().getPrivate();
    keys.setKeyEntry(
        alias,
        key,
        PASSWORD.toCharArray(),
        new Certificate[] {held.certificate(), authority.certificate()});
  }

  private Forwarder forwarder(ClientCertificates certificates) throws IOException {
    Path trusted = folder.resolve("authority.pem");
    Files.writeString(trusted, authority.certificatePem());
    HostResolver loopback =
        HostResolver.system()
            .overriddenBy(Map.of(EngineFixture.HOST, List.of(InetAddress.getLoopbackAddress())));
    return new Forwarder(
        new EgressPolicy(Optional.empty(), Set.of(EngineFixture.HOST), Set.of()),
        new NetworkAccess(
            loopback,
            TrustedAuthorities.load(Optional.of(trusted)),
            certificates,
            Optional.empty(),
            true),
        new ForwardTimeouts(EngineFixture.TIMEOUT, EngineFixture.TIMEOUT, EngineFixture.TIMEOUT),
        100);
  }

  /** Sends a request and returns the subject of the client certificate that arrived. */
  private String peerNameFor(Optional<String> certificate) throws Exception {
    server.enqueue(new MockResponse.Builder().body("ok").build());
    try (ProxyResponse response = forwarder.send(request(certificate), CallerPresence.UNWATCHED)) {
      response.body().readAllBytes();
    }
    RecordedRequest request = server.takeRequest(5, TimeUnit.SECONDS);
    connectionIndexes.add(request.getConnectionIndex());
    Principal peer = request.getHandshake().peerPrincipal();
    return peer == null ? "anonymous" : peer.getName();
  }

  private ProxyResponse send(String certificate) throws Exception {
    return forwarder.send(request(Optional.of(certificate)), CallerPresence.UNWATCHED);
  }

  private OutgoingRequest request(Optional<String> certificate) throws Exception {
    return new OutgoingRequest(
        "GET",
        Destination.parse(EngineFixture.urlAt(server.getPort())),
        "/",
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        certificate);
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void connectionIsReusedOnlyForItsCertificate(Protocol protocol) throws Exception {
    server.setProtocols(
        protocol == Protocol.HTTP_2
            ? List.of(Protocol.HTTP_2, Protocol.HTTP_1_1)
            : List.of(Protocol.HTTP_1_1));

    for (int round = 0; round < 2; round++) {
      assertThat(peerNameFor(Optional.of("acme"))).isEqualTo("CN=acme");
      assertThat(peerNameFor(Optional.empty())).isEqualTo("anonymous");
      assertThat(peerNameFor(Optional.of("other"))).isEqualTo("CN=other");
    }
    assertThat(connectionIndexes).as("one connection per certificate").hasSize(3);
  }

  @Test
  void expiredCertificateIsPresentedToDestination() throws Exception {
    server.setProtocols(List.of(Protocol.HTTP_1_1));

    // The cause depends on the version of TLS and on timing.
    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(() -> send("expired"))
        .extracting(RefusedException::code)
        .isEqualTo(FailureCode.UPSTREAM_FAILED);
    assertThat(server.getRequestCount()).isZero();
  }

  @Test
  void requestWithUnconfiguredCertificateIsNotSent() {
    Refusals.assertRefused(FailureCause.DESTINATION_UNTRUSTED, () -> send("gone"));
    Refusals.assertRefused(FailureCause.DESTINATION_UNTRUSTED, () -> send("authority"));

    assertThat(server.getRequestCount()).isZero();
  }

  @Test
  void keyWithDifferentPasswordIsReported() throws Exception {
    KeyStore keys = KeyStore.getInstance("JKS");
    keys.load(null, null);
    add(keys, "acme", issue("acme", 1));

    assertThatThrownBy(() -> ClientCertificates.of(keys, "given-password".toCharArray()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause()
        .hasMessageContaining("another password")
        .hasMessageNotContaining("given-password");
  }
}
