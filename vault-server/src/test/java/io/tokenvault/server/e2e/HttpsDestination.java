package io.tokenvault.server.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.Protocol;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/**
 * Somebody else's server, on the loopback interface with real TLS. Vaults of {@link RunningVault}
 * trust its authority and reach it as {@link #HOST}.
 */
final class HttpsDestination implements AutoCloseable {

  /** Resolves to loopback, and the operator allows that. */
  static final String HOST = "payments.test";

  /** As {@link #HOST}, another name. */
  static final String OTHER_HOST = "shipping.test";

  /** Resolves to loopback too, but the operator has not said that it may. */
  static final String REBOUND_HOST = "rebound.test";

  /** A name in no certificate; resolves to loopback, which is allowed. */
  static final String UNNAMED_HOST = "unnamed.test";

  private static final long PATIENCE_SECONDS = 20;
  private static final HeldCertificate AUTHORITY = authority();

  private final MockWebServer server = new MockWebServer();

  private HttpsDestination(HeldCertificate own, List<Protocol> protocols) {
    this(new HandshakeCertificates.Builder().heldCertificate(own).build(), protocols);
  }

  private HttpsDestination(HandshakeCertificates tls, List<Protocol> protocols) {
    server.setServerSocketFactory(new PromptSockets());
    server.setProtocols(protocols);
    server.useHttps(tls.sslSocketFactory());
    answer(request -> new MockResponse.Builder().body("{\"received\":true}").build());
    try {
      server.start(InetAddress.getLoopbackAddress(), 0);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** A certificate that vaults trust for these names or addresses. */
  static HeldCertificate trustedCertificate(String... names) {
    HeldCertificate.Builder builder = new HeldCertificate.Builder().signedBy(AUTHORITY);
    for (String name : names) {
      builder.addSubjectAlternativeName(name);
    }
    return builder.build();
  }

  /** Starts one that asks for certificates of this authority, and answers without one too. */
  static HttpsDestination startAskingForCertificates(HeldCertificate clients) {
    HttpsDestination destination =
        new HttpsDestination(
            new HandshakeCertificates.Builder()
                .heldCertificate(certificate(AUTHORITY).build())
                .addTrustedCertificate(clients.certificate())
                .build(),
            List.of(Protocol.HTTP_2, Protocol.HTTP_1_1));
    destination.server.requestClientAuth();
    return destination;
  }

  private static HeldCertificate.Builder certificate(HeldCertificate authority) {
    return new HeldCertificate.Builder()
        .commonName(HOST)
        .addSubjectAlternativeName(HOST)
        .addSubjectAlternativeName(OTHER_HOST)
        .addSubjectAlternativeName(REBOUND_HOST)
        .signedBy(authority);
  }

  private static HeldCertificate authority() {
    return new HeldCertificate.Builder()
        .commonName("Destinations of the tests")
        .certificateAuthority(0)
        .build();
  }

  /** Starts one with a certificate that vaults trust; it answers everything with 200. */
  static HttpsDestination start() {
    return new HttpsDestination(
        certificate(AUTHORITY).build(), List.of(Protocol.HTTP_2, Protocol.HTTP_1_1));
  }

  /** The same, but it speaks HTTP/1.1 only: for headers that HTTP/2 does not have. */
  static HttpsDestination startHttp1() {
    return new HttpsDestination(certificate(AUTHORITY).build(), List.of(Protocol.HTTP_1_1));
  }

  /** Starts one whose certificate nobody trusts. */
  static HttpsDestination startUntrusted() {
    return new HttpsDestination(certificate(authority()).build(), List.of(Protocol.HTTP_1_1));
  }

  /** Starts one whose certificate was good once. */
  static HttpsDestination startExpired() {
    return new HttpsDestination(
        certificate(AUTHORITY).validityInterval(0, 1000).build(), List.of(Protocol.HTTP_1_1));
  }

  /** TLS with a certificate that vaults trust, for servers of another kind. */
  static SSLContext trustedTls() {
    return new HandshakeCertificates.Builder()
        .heldCertificate(certificate(AUTHORITY).build())
        .build()
        .sslContext();
  }

  /** The authority to trust. */
  static String authorityPem() {
    return AUTHORITY.certificatePem();
  }

  /** Names that may be local, for the operator's setting. */
  static List<String> privateHosts() {
    return List.of(HOST, OTHER_HOST, UNNAMED_HOST);
  }

  /** Names that resolve to the loopback interface, for the operator's setting. */
  static List<String> overriddenHosts() {
    return List.of(HOST, OTHER_HOST, UNNAMED_HOST, REBOUND_HOST);
  }

  /** From now on requests are answered so. */
  HttpsDestination answer(Function<RecordedRequest, MockResponse> answers) {
    server.setDispatcher(
        new Dispatcher() {
          @Override
          public MockResponse dispatch(RecordedRequest request) {
            return answers.apply(request);
          }
        });
    return this;
  }

  HttpsDestination answer(MockResponse response) {
    return answer(request -> response);
  }

  /** The oldest request that was not taken yet; fails if none arrives. */
  RecordedRequest received() {
    return poll(PATIENCE_SECONDS, TimeUnit.SECONDS)
        .orElseThrow(() -> new AssertionError("nothing reached the destination"));
  }

  /** How many requests arrived so far. */
  int count() {
    return server.getRequestCount();
  }

  private Optional<RecordedRequest> poll(long time, TimeUnit unit) {
    try {
      return Optional.ofNullable(server.takeRequest(time, unit));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  int port() {
    return server.getPort();
  }

  /** The base URL under {@link #HOST}. */
  String url() {
    return url(HOST);
  }

  /** The base URL under another of the names above. */
  String url(String host) {
    return "https://" + host + ":" + port();
  }

  @Override
  public void close() {
    server.close();
  }
}
