package io.tokenvault.adapters.http;

import static io.tokenvault.adapters.http.RecordingProxy.readBody;
import static io.tokenvault.adapters.http.RecordingProxy.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.http.server.HttpSettings.TlsFiles;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ProxyResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLSocket;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests callers that disconnect early, and pipelined requests. */
@ParameterizedClass
@ValueSource(strings = {DisconnectedCallerTest.PLAIN, "TLSv1.2", "TLSv1.3"})
final class DisconnectedCallerTest {

  static final String PLAIN = "plain";

  private static final String[] GET = {"GET /proxy/first HTTP/1.1", "Host: vault.test"};
  private static final String NEXT = "GET /proxy/next HTTP/1.1\r\nHost: vault.test\r\n\r\n";
  private static final HeldCertificate CERTIFICATE =
      new HeldCertificate.Builder()
          .commonName("localhost")
          .addSubjectAlternativeName("localhost")
          .build();
  private static final HandshakeCertificates CLIENT_TLS =
      new HandshakeCertificates.Builder().addTrustedCertificate(CERTIFICATE.certificate()).build();

  @TempDir private static Path directory;

  private final RecordingProxy proxy = new RecordingProxy();
  private final CountDownLatch disconnected = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);

  /** The protocol: {@link #PLAIN} or a version of TLS. */
  @Parameter private String protocol;

  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    TlsFiles files =
        new TlsFiles(
            Files.writeString(directory.resolve("cert.pem"), CERTIFICATE.certificatePem()),
            Files.writeString(directory.resolve("key.pem"), CERTIFICATE.privateKeyPkcs8Pem()),
            Duration.ofMinutes(1));
    server =
        protocol.equals(PLAIN)
            ? TestServer.start(proxy)
            : TestServer.start(proxy, TestServer.tls(files));
  }

  @AfterEach
  void stop() {
    release.countDown();
    server.close();
  }

  private RawConnection connect() {
    if (protocol.equals(PLAIN)) {
      return server.connect();
    }
    try {
      SSLSocket socket =
          (SSLSocket) CLIENT_TLS.sslSocketFactory().createSocket("localhost", server.port());
      socket.setEnabledProtocols(new String[] {protocol});
      return RawConnection.over(socket);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private ProxyResponse respondAfterRelease(ProxyCall call) {
    if (!call.path().equals("/first")) {
      return response(200, call.path() + " " + readBody(call).length());
    }
    call.caller().whenGone(disconnected::countDown);
    readBody(call);
    UncheckedWait.await(release);
    return response(200, "first");
  }

  @Test
  void failedWriteClosesDestinationResponse() throws IOException {
    proxy.respondWith(response(200, new EndlessStream(), OptionalLong.empty()));
    try (RawConnection connection = connect()) {
      connection.send(GET).readHead();
      assertThat(connection.readLine()).isNotEmpty();
    }
    proxy.awaitResponseClosed();
  }

  @Test
  void halfClosedCallerReceivesResponse() {
    proxy.respondWith(this::respondAfterRelease);
    try (RawConnection connection = connect()) {
      connection.send("GET /proxy/first HTTP/1.1", "Host: vault.test", "Connection: close");
      proxy.takeCall();
      connection.shutdownOutput();
      release.countDown();
      assertThat(connection.readResponse().body()).isEqualTo("first");
    }
  }

  @Test
  void pipelinedRequestsAreServedInOrder() {
    proxy.respondWith(this::respondAfterRelease);
    try (RawConnection connection = connect()) {
      connection.send(GET);
      proxy.takeCall();
      connection.write(NEXT).write(NEXT.substring(0, 10));
      connection.write(NEXT.substring(10));
      release.countDown();
      assertThat(connection.readResponse().body()).isEqualTo("first");
      assertThat(connection.readResponse().body()).isEqualTo("/next 0");
      assertThat(connection.readResponse().body()).isEqualTo("/next 0");
      assertThat(disconnected.getCount()).isEqualTo(1);
    }
  }

  @Test
  void largePipelinedRequestIsServedInOrder() {
    int length = 20 * (16 << 10);
    proxy.respondWith(this::respondAfterRelease);
    try (RawConnection connection = connect()) {
      connection.send(GET);
      proxy.takeCall();
      connection.write(
          "POST /proxy/big HTTP/1.1\r\nHost: vault.test\r\nContent-Length: "
              + length
              + "\r\n\r\n"
              + "x".repeat(length));
      release.countDown();
      assertThat(connection.readResponse().body()).isEqualTo("first");
      assertThat(connection.readResponse().body()).isEqualTo("/big " + length);
    }
  }

  @Test
  void manyPipelinedRequestsAllReceiveResponses() {
    proxy.respondWith(call -> response(200, call.path()));
    try (RawConnection connection = connect()) {
      for (int round = 0; round < 100; round++) {
        int pipelined = 1 + round % 3;
        connection.write(NEXT.replace("/next", "/" + round).repeat(pipelined));
        for (int i = 0; i < pipelined; i++) {
          assertThat(connection.readResponse().body()).isEqualTo("/" + round);
        }
      }
    }
  }

  @Test
  void disconnectAfterResponseDoesNotNotifyListeners() {
    proxy.respondWith(
        call -> {
          call.caller().whenGone(disconnected::countDown);
          return response(200, "done");
        });
    try (RawConnection connection = connect()) {
      assertThat(connection.send(GET).readResponse().body()).isEqualTo("done");
      proxy.awaitResponseClosed();
      proxy.takeCall().caller().whenGone(disconnected::countDown);
    }
    assertThat(disconnected.getCount()).isEqualTo(1);
  }

  @Test
  void truncatedResponseWithoutLengthResetsConnection() throws IOException {
    InputStream body =
        new SequenceInputStream(
            new ByteArrayInputStream(new byte[] {'a'}), RecordingProxy.brokenStream());
    proxy.respondWith(response(200, body, OptionalLong.empty()));
    try (RawConnection connection = connect()) {
      connection.send("GET /proxy HTTP/1.0", "Host: vault.test");
      assertThat(connection.endsWithReset()).isTrue();
    }
  }

  /** A body that never ends. */
  private static final class EndlessStream extends InputStream {

    @Override
    public int read() {
      return 'x';
    }
  }
}
