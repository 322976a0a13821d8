package io.tokenvault.adapters.http;

import static io.tokenvault.adapters.http.RecordingProxy.answer;
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
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers that leave before their response is complete, and what they may send while they wait. */
final class GoneCallerTest {

  private static final String PLAIN = "plain";

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
  private TestServer plain;
  private TestServer secure;

  @BeforeEach
  void start() throws IOException {
    TlsFiles files =
        new TlsFiles(
            Files.writeString(directory.resolve("cert.pem"), CERTIFICATE.certificatePem()),
            Files.writeString(directory.resolve("key.pem"), CERTIFICATE.privateKeyPkcs8Pem()),
            Duration.ofMinutes(1));
    plain = TestServer.start(proxy);
    secure = TestServer.start(proxy, TestServer.tls(files));
  }

  @AfterEach
  void stop() {
    released.countDown();
    plain.close();
    secure.close();
  }

  private RawConnection connect(String kind) {
    try {
      TestServer server = kind.equals(PLAIN) ? plain : secure;
      Socket transport = new Socket(InetAddress.getLoopbackAddress(), server.port());
      return RawConnection.over(kind.equals(PLAIN) ? transport : secured(transport, kind));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private Socket secured(Socket transport, String version) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            CLIENT.sslSocketFactory().createSocket(transport, "localhost", secure.port(), true);
    socket.setEnabledProtocols(new String[] {version});
    socket.startHandshake();
    return socket;
  }

  private ProxyResponse waitForRelease(ProxyCall call) {
    if (!call.path().equals("/first")) {
      return text(200, call.path() + " " + readToItsEnd(call).length());
    }
    call.caller().whenGone(gone::countDown);
    readToItsEnd(call);
    Waiting.await(released);
    return text(200, "first");
  }

  private static String readToItsEnd(ProxyCall call) {
    try {
      return new String(call.body().readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {PLAIN, "TLSv1.2", "TLSv1.3"})
  void failedWriteClosesTheResponseOfTheDestination(String kind) throws IOException {
    proxy.answers(answer(200, new EndlessStream(), OptionalLong.empty()));
    try (RawConnection connection = connect(kind)) {
      connection.send(GET).head();
      assertThat(connection.line()).isNotEmpty();
    }
    proxy.awaitClosing();
  }

  @ParameterizedTest
  @ValueSource(strings = {PLAIN, "TLSv1.2", "TLSv1.3"})
  void callerThatEndsItsDirectionGetsItsResponse(String kind) {
    proxy.answers(this::waitForRelease);
    try (RawConnection connection = connect(kind)) {
      connection.send("GET /proxy/first HTTP/1.1", "Host: vault.test", "Connection: close");
      proxy.take();
      connection.endOutput();
      released.countDown();
      assertThat(connection.reply().body()).isEqualTo("first");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {PLAIN, "TLSv1.2", "TLSv1.3"})
  void pipelinedRequestsAreServedInOrder(String kind) {
    proxy.answers(this::waitForRelease);
    try (RawConnection connection = connect(kind)) {
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

  @ParameterizedTest
  @ValueSource(strings = {PLAIN, "TLSv1.2", "TLSv1.3"})
  void largePipelinedRequestIsServedInOrder(String kind) {
    int length = 20 * (16 << 10);
    proxy.answers(this::waitForRelease);
    try (RawConnection connection = connect(kind)) {
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

  @ParameterizedTest
  @ValueSource(strings = {PLAIN, "TLSv1.2", "TLSv1.3"})
  void manyPipelinedRequestsAllReceiveResponses(String kind) {
    proxy.answers(call -> text(200, call.path()));
    try (RawConnection connection = connect(kind)) {
      for (int round = 0; round < 100; round++) {
        int together = 1 + round % 3;
        connection.write(NEXT.replace("/next", "/" + round).repeat(together));
        for (int i = 0; i < together; i++) {
          assertThat(connection.reply().body()).isEqualTo("/" + round);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {PLAIN, "TLSv1.2", "TLSv1.3"})
  void disconnectAfterResponseDoesNotNotifyGoneListeners(String kind) {
    proxy.answers(
        call -> {
          call.caller().whenGone(gone::countDown);
          return text(200, "done");
        });
    try (RawConnection connection = connect(kind)) {
      assertThat(connection.send(GET).reply().body()).isEqualTo("done");
      proxy.awaitClosing();
      proxy.take().caller().whenGone(gone::countDown);
    }
    assertThat(gone.getCount()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {PLAIN, "TLSv1.2", "TLSv1.3"})
  void truncatedResponseWithoutLengthResetsConnection(String kind) {
    proxy.answers(
        answer(
            200,
            new SequenceInputStream(
                new ByteArrayInputStream(new byte[] {'a'}), new PausingStream(released)),
            OptionalLong.empty()));
    released.countDown();
    try (RawConnection connection = connect(kind)) {
      connection.send("GET /proxy HTTP/1.0", "Host: vault.test");
      assertThat(connection.endsWithReset()).isTrue();
    }
  }

  /** Has more, without a pause. */
  private static final class EndlessStream extends InputStream {

    @Override
    public int read() {
      return 'x';
    }
  }

  /** Breaks off as soon as it is told. */
  private static final class PausingStream extends InputStream {

    private final CountDownLatch end;

    PausingStream(CountDownLatch end) {
      this.end = end;
    }

    @Override
    public int read() throws IOException {
      Waiting.await(end);
      throw new IOException("ended");
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      return read();
    }
  }
}
