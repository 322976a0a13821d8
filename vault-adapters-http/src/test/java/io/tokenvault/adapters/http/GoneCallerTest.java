package io.tokenvault.adapters.http;

import static io.tokenvault.adapters.http.RecordingProxy.answer;
import static io.tokenvault.adapters.http.RecordingProxy.read;
import static io.tokenvault.adapters.http.RecordingProxy.text;
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
@ValueSource(strings = {GoneCallerTest.PLAIN, "TLSv1.2", "TLSv1.3"})
final class GoneCallerTest {

  static final String PLAIN = "plain";

  private static final String[] GET = {"GET /proxy/first HTTP/1.1", "Host: vault.test"};
  private static final String NEXT = "GET /proxy/next HTTP/1.1\r\nHost: vault.test\r\n\r\n";
  private static final HeldCertificate CERTIFICATE =
      new HeldCertificate.Builder()
          .commonName("localhost")
          .addSubjectAlternativeName("localhost")
          .build();
  private static final HandshakeCertificates CLIENT =
      new HandshakeCertificates.Builder().addTrustedCertificate(CERTIFICATE.certificate()).build();

  @TempDir private static Path directory;

  private final RecordingProxy proxy = new RecordingProxy();
  private final CountDownLatch gone = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  /** The protocol: {@link #PLAIN} or a version of TLS. */
  @Parameter private String kind;

  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    TlsFiles files =
        new TlsFiles(
            Files.writeString(directory.resolve("cert.pem"), CERTIFICATE.certificatePem()),
            Files.writeString(directory.resolve("key.pem"), CERTIFICATE.privateKeyPkcs8Pem()),
            Duration.ofMinutes(1));
    server =
        kind.equals(PLAIN)
            ? TestServer.start(proxy)
            : TestServer.start(proxy, TestServer.tls(files));
  }

  @AfterEach
  void stop() {
    released.countDown();
    server.close();
  }

  private RawConnection connect() {
    if (kind.equals(PLAIN)) {
      return server.connect();
    }
    try {
      SSLSocket socket =
          (SSLSocket) CLIENT.sslSocketFactory().createSocket("localhost", server.port());
      socket.setEnabledProtocols(new String[] {kind});
      return RawConnection.over(socket);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private ProxyResponse waitForRelease(ProxyCall call) {
    if (!call.path().equals("/first")) {
      return text(200, call.path() + " " + read(call).length());
    }
    call.caller().whenGone(gone::countDown);
    read(call);
    Waiting.await(released);
    return text(200, "first");
  }

  @Test
  void failedWriteClosesTheResponseOfTheDestination() throws IOException {
    proxy.answers(answer(200, new EndlessStream(), OptionalLong.empty()));
    try (RawConnection connection = connect()) {
      connection.send(GET).head();
      assertThat(connection.line()).isNotEmpty();
    }
    proxy.awaitClosing();
  }

  @Test
  void callerThatEndsItsDirectionGetsItsResponse() {
    proxy.answers(this::waitForRelease);
    try (RawConnection connection = connect()) {
      connection.send("GET /proxy/first HTTP/1.1", "Host: vault.test", "Connection: close");
      proxy.take();
      connection.endOutput();
      released.countDown();
      assertThat(connection.reply().body()).isEqualTo("first");
    }
  }

  @Test
  void pipelinedRequestsAreServedInOrder() {
    proxy.answers(this::waitForRelease);
    try (RawConnection connection = connect()) {
      connection.send(GET);
      proxy.take();
      connection.write(NEXT).write(NEXT.substring(0, 10));
      connection.write(NEXT.substring(10));
      released.countDown();
      assertThat(connection.reply().body()).isEqualTo("first");
      assertThat(connection.reply().body()).isEqualTo("/next 0");
      assertThat(connection.reply().body()).isEqualTo("/next 0");
      assertThat(gone.getCount()).isEqualTo(1);
    }
  }

  @Test
  void largePipelinedRequestIsServedInOrder() {
    int length = 20 * (16 << 10);
    proxy.answers(this::waitForRelease);
    try (RawConnection connection = connect()) {
      connection.send(GET);
      proxy.take();
      connection.write(
          "POST /proxy/big HTTP/1.1\r\nHost: vault.test\r\nContent-Length: "
              + length
              + "\r\n\r\n"
              + "x".repeat(length));
      released.countDown();
      assertThat(connection.reply().body()).isEqualTo("first");
      assertThat(connection.reply().body()).isEqualTo("/big " + length);
    }
  }

  @Test
  void manyPipelinedRequestsAllReceiveResponses() {
    proxy.answers(call -> text(200, call.path()));
    try (RawConnection connection = connect()) {
      for (int round = 0; round < 100; round++) {
        int together = 1 + round % 3;
        connection.write(NEXT.replace("/next", "/" + round).repeat(together));
        for (int i = 0; i < together; i++) {
          assertThat(connection.reply().body()).isEqualTo("/" + round);
        }
      }
    }
  }

  @Test
  void disconnectAfterResponseDoesNotNotifyGoneListeners() {
    proxy.answers(
        call -> {
          call.caller().whenGone(gone::countDown);
          return text(200, "done");
        });
    try (RawConnection connection = connect()) {
      assertThat(connection.send(GET).reply().body()).isEqualTo("done");
      proxy.awaitClosing();
      proxy.take().caller().whenGone(gone::countDown);
    }
    assertThat(gone.getCount()).isEqualTo(1);
  }

  @Test
  void truncatedResponseWithoutLengthResetsConnection() throws IOException {
    InputStream body =
        new SequenceInputStream(
            new ByteArrayInputStream(new byte[] {'a'}), RecordingProxy.brokenStream());
    proxy.answers(answer(200, body, OptionalLong.empty()));
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
