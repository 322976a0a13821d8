package io.tokenvault.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.engine.forward.ForwardProxy;
import io.tokenvault.engine.forward.egress.HostResolver;
import io.tokenvault.ports.api.ProxyResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests through the operator's forward proxy. */
@Execution(ExecutionMode.CONCURRENT)
class ForwardProxyTest {

  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final String PROXY = "proxy.internal.test";
  private static final String UNKNOWN_HOST = "only.the.proxy.knows.test";

  @AutoClose private final EngineFixture fixture = new EngineFixture();
  @AutoClose private RawForwardProxy plainProxy;
  @AutoClose private RawForwardProxy tlsProxy;

  @BeforeEach
  void start() throws Exception {
    plainProxy = new RawForwardProxy(Optional.empty(), fixture.destination.port());
    tlsProxy =
        new RawForwardProxy(
            Optional.of(fixture.serverCertificates(PROXY).sslContext()),
            fixture.destination.port());
  }

  private RawForwardProxy proxy(boolean tls) {
    return tls ? tlsProxy : plainProxy;
  }

  private ProxyEngine newEngine(boolean tls) {
    return newEngine(ForwardProxy.at(PROXY, proxy(tls).port(), tls));
  }

  private ProxyEngine newEngine(ForwardProxy proxy) {
    HostResolver resolver =
        host -> {
          switch (host) {
            case PROXY:
              return List.of(LOOPBACK);
            case "private-by-name.example.test":
              return List.of(InetAddress.getByName("93.184.216.34"), LOOPBACK);
            default:
              throw new UnknownHostException(host);
          }
        };
    return fixture.newEngine(resolver, proxy);
  }

  private EngineFixture.Call call() {
    return fixture
        .call()
        .header("Proxy-Authorization", "Basic callers")
        .header("X-Secret", "planted")
        .body("text/plain", "x");
  }

  private String send(ProxyEngine engine) {
    return call().send(engine).text();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void proxyReceivesOnlyDestinationName(boolean tls) throws Exception {
    try (ProxyEngine engine = newEngine(tls)) {
      assertThat(send(engine)).isEqualTo("ok");
      assertThat(send(engine)).isEqualTo("ok");
    }

    String authority = EngineFixture.HOST + ":" + fixture.destination.port();
    assertThat(proxy(tls).requestHeads())
        .containsExactly("CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n");
    assertThat(fixture.destination.take().headerLines())
        .contains("Proxy-Authorization: Basic callers", "X-Secret: planted");
    assertThat(fixture.destination.connections()).isEqualTo(1);
  }

  @Test
  void credentialsAreSentToProxyButNotToDestination() throws Exception {
    ForwardProxy proxy =
        ForwardProxy.at(PROXY, plainProxy.port(), false).authenticatedBy("user", "a-password");
    assertThat(proxy.toString()).doesNotContain("user").doesNotContain("password");
    try (ProxyEngine engine = newEngine(proxy)) {
      send(engine);
    }

    String basic = Base64.getEncoder().encodeToString("user:a-password".getBytes(UTF_8));
    assertThat(plainProxy.requestHeads().get(0))
        .contains("\r\nProxy-Authorization: Basic " + basic + "\r\n");
    assertThat(fixture.destination.take().head()).doesNotContain(basic);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void endlessChunkSizeIsNotRead(boolean tls) throws Exception {
    fixture.destination.respondWith(
        (request, out) -> {
          HostileResponsesTest.write(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
          return HostileResponsesTest.writeForever(out, "0");
        });

    try (ProxyEngine engine = newEngine(tls);
        ProxyResponse response = call().open(engine)) {
      assertThatThrownBy(() -> response.body().readAllBytes()).isInstanceOf(IOException.class);
    }
  }

  @Test
  void closedConnectionIsNotReused() throws Exception {
    try (ProxyEngine engine = newEngine(false)) {
      send(engine);
      fixture.destination.dropConnections();
      plainProxy.awaitTunnelsClosed();
      assertThat(send(engine)).isEqualTo("ok");
    }
    assertThat(fixture.destination.connections()).isEqualTo(2);
  }

  @Test
  void silentlyEndedIdleConnectionIsNotReused() throws Exception {
    try (ProxyEngine engine = newEngine(true)) {
      send(engine);
      tlsProxy.dropConnections();
      Thread.sleep(1_100);
      assertThat(send(engine)).isEqualTo("ok");
    }
    assertThat(fixture.destination.connections()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 403 Forbidden\r\n\r\n",
        "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: https://elsewhere.test/\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/2 200\r\n\r\n",
        "HTTP/1.1 2000 x\r\n\r\n",
        "220 smtp\r\n\r\n",
        "HTTP/1.1 200 OK\r\n",
        ""
      })
  void tunnelNotGrantedByProxyIsNotRetried(String response) throws Exception {
    plainProxy.respondWith(response);
    try (ProxyEngine engine = newEngine(false)) {
      assertThat(call().assertRefused(FailureCause.DESTINATION_UNREACHABLE, engine))
          .startsWith("The operator's forward proxy");
    }
    assertThat(plainProxy.requestHeads()).hasSize(1);
    assertThat(fixture.destination.connections()).isZero();
  }

  @Test
  void endlessResponseHeadIsAborted() throws Exception {
    plainProxy.respondWith("HTTP/1.1 200 OK\r\n" + "X-A: b\r\n".repeat(100_000));
    try (ProxyEngine engine = newEngine(false)) {
      call().assertRefused(FailureCause.DESTINATION_UNREACHABLE, engine);
    }
  }

  @Test
  void unreachableProxyIsReportedSeparately() throws Exception {
    // Bound without listening, so that no other process can use the port during the test.
    try (Socket bound = new Socket()) {
      bound.bind(new InetSocketAddress(LOOPBACK, 0));
      assertUnreachable(ForwardProxy.at(PROXY, bound.getLocalPort(), false));
    }
    assertUnreachable(ForwardProxy.at("unknown.test", 3128, false));
  }

  private void assertUnreachable(ForwardProxy proxy) {
    try (ProxyEngine engine = newEngine(proxy)) {
      assertThat(call().assertRefused(FailureCause.DESTINATION_UNREACHABLE, engine))
          .isEqualTo("The operator's forward proxy is unreachable.");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void slowProxyTimesOut(boolean tls) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 50, LOOPBACK);
        ProxyEngine engine = newEngine(ForwardProxy.at(PROXY, server.getLocalPort(), tls))) {
      String key = fixture.vault.proxyKey(fixture.url(), Duration.ofMillis(800));

      fixture.call().byProxyKey(key).assertRefused(FailureCause.CONNECT_TIMEOUT, engine);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"other.internal.test", PROXY})
  void proxyWithInvalidCertificateIsNotTrusted(String name) throws Exception {
    HeldCertificate authority =
        name.equals(PROXY)
            ? new HeldCertificate.Builder().certificateAuthority(0).ecdsa256().build()
            : EngineFixture.AUTHORITY;
    HeldCertificate certificate = EngineFixture.certificate(authority, name);
    try (RawForwardProxy impostor =
            new RawForwardProxy(
                Optional.of(EngineFixture.serverCertificates(certificate, authority).sslContext()),
                fixture.destination.port());
        ProxyEngine engine = newEngine(ForwardProxy.at(PROXY, impostor.port(), true))) {
      assertThat(call().assertRefused(FailureCause.DESTINATION_UNTRUSTED, engine))
          .contains("forward proxy");
      assertThat(impostor.requestHeads()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void destinationCertificateIsVerifiedThroughProxy(boolean tls) throws Exception {
    try (RawDestination impostor =
            new RawDestination(fixture.serverCertificates("other.example.test").sslContext());
        RawForwardProxy proxy =
            new RawForwardProxy(
                tls
                    ? Optional.of(fixture.serverCertificates(PROXY).sslContext())
                    : Optional.empty(),
                impostor.port());
        ProxyEngine engine = newEngine(ForwardProxy.at(PROXY, proxy.port(), tls))) {
      assertThat(call().assertRefused(FailureCause.DESTINATION_UNTRUSTED, engine))
          .doesNotContain("forward proxy");
      assertThat(impostor.waiting()).isZero();
    }
  }

  @Test
  void unknownNameIsPassedToProxyAndPrivateNameIsNot() throws Exception {
    plainProxy.respondWith("HTTP/1.1 502 Unknown\r\n\r\n");
    try (ProxyEngine engine = newEngine(false)) {
      String message = assertUnreachable(engine, "private-by-name.example.test");
      assertThat(plainProxy.requestHeads()).isEmpty();
      assertThat(fixture.vault.events())
          .last()
          .isEqualTo("recorded: Proxy invocation ended: The destination's address is refused");

      assertThat(message)
          .as("failure for a name that the proxy cannot reach")
          .isEqualTo(assertUnreachable(engine, UNKNOWN_HOST));
    }
    assertThat(plainProxy.requestHeads())
        .containsExactly(
            "CONNECT " + UNKNOWN_HOST + ":443 HTTP/1.1\r\nHost: " + UNKNOWN_HOST + ":443\r\n\r\n");
  }

  private String assertUnreachable(ProxyEngine engine, String host) {
    return fixture
        .call()
        .to("https://" + host + "/")
        .assertRefused(FailureCause.DESTINATION_UNREACHABLE, engine);
  }

  @Test
  void requestThatMayHaveArrivedIsNotSentAgain() throws Exception {
    fixture.destination.respondAndClose("");
    try (ProxyEngine engine = newEngine(false)) {
      call().assertRefused(FailureCause.DESTINATION_BROKE_OFF, engine);
    }
    fixture.destination.take();
    assertThat(fixture.destination.waiting()).isZero();
    assertThat(plainProxy.requestHeads()).hasSize(1);
  }
}
