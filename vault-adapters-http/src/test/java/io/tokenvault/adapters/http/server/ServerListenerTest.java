package io.tokenvault.adapters.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.tokenvault.adapters.http.LogCapture;
import io.tokenvault.adapters.http.RawConnection;
import io.tokenvault.adapters.http.RawResponse;
import io.tokenvault.adapters.http.RecordingProxy;
import io.tokenvault.adapters.http.TestServer;
import io.tokenvault.adapters.http.server.HttpSettings.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class ServerListenerTest {

  private static final HeldCertificate ROOT =
      new HeldCertificate.Builder().certificateAuthority(1).commonName("root").build();
  private static final HeldCertificate INTERMEDIATE =
      new HeldCertificate.Builder()
          .certificateAuthority(0)
          .signedBy(ROOT)
          .commonName("intermediate")
          .build();
  private static final HeldCertificate RSA = leaf("rsa").rsa2048().build();
  private static final HandshakeCertificates CLIENT_TLS =
      new HandshakeCertificates.Builder().addTrustedCertificate(ROOT.certificate()).build();

  @TempDir private Path directory;
  private TlsFiles files;
  private int changes;

  @BeforeEach
  void nameFiles() {
    files =
        new TlsFiles(
            directory.resolve("cert.pem"), directory.resolve("key.pem"), Duration.ofMillis(50));
  }

  private static HeldCertificate.Builder leaf(String name) {
    return new HeldCertificate.Builder()
        .commonName(name)
        .addSubjectAlternativeName("localhost")
        .signedBy(INTERMEDIATE);
  }

  private void write(HeldCertificate leaf, String key) throws IOException {
    Files.writeString(files.certificate(), leaf.certificatePem() + INTERMEDIATE.certificatePem());
    Files.writeString(files.privateKey(), key);
    // Files written within one tick of the clock would have the same time.
    FileTime time = FileTime.from(Instant.EPOCH.plusSeconds(++changes));
    Files.setLastModifiedTime(files.certificate(), time);
    Files.setLastModifiedTime(files.privateKey(), time);
  }

  @TestFactory
  Stream<DynamicTest> commonKeyFormatsServeWholeChain() throws GeneralSecurityException {
    HeldCertificate ec = leaf("ec").ecdsa256().build();
    KeyPair edwards = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    HeldCertificate ed = leaf("ed").keyPair(edwards).build();
    KeyPairGenerator pssKeys = KeyPairGenerator.getInstance("RSASSA-PSS");
    HeldCertificate pss = leaf("pss").keyPair(pssKeys.generateKeyPair()).build();
    pssKeys.initialize(
        new RSAKeyGenParameterSpec(
            2048,
            RSAKeyGenParameterSpec.F4,
            new PSSParameterSpec("SHA-384", "MGF1", MGF1ParameterSpec.SHA384, 48, 1)));
    HeldCertificate restricted = leaf("restricted").keyPair(pssKeys.generateKeyPair()).build();
    return Stream.of(
        dynamicTest("PKCS8 RSA", () -> assertServed(RSA, RSA.privateKeyPkcs8Pem())),
        dynamicTest("PKCS1 RSA", () -> assertServed(RSA, RSA.privateKeyPkcs1Pem())),
        dynamicTest("RSA-PSS", () -> assertServed(pss, pss.privateKeyPkcs8Pem())),
        dynamicTest(
            "RSA-PSS for one hash",
            () -> assertServed(restricted, restricted.privateKeyPkcs8Pem())),
        dynamicTest("PKCS8 EC", () -> assertServed(ec, ec.privateKeyPkcs8Pem())),
        dynamicTest("PKCS8 Ed25519", () -> assertServed(ed, ed.privateKeyPkcs8Pem())));
  }

  private void assertServed(HeldCertificate leaf, String key) throws IOException {
    write(leaf, key);
    try (TestServer server = TestServer.start(new RecordingProxy(), TestServer.tls(files))) {
      assertThat(servedCertificate(server)).isEqualTo(leaf.certificate());
    }
  }

  private static X509Certificate servedCertificate(TestServer server) throws IOException {
    try (SSLSocket socket = connect(server)) {
      socket.startHandshake();
      RawResponse response =
          RawConnection.over(socket)
              .send("GET /healthz HTTP/1.1", "Host: localhost")
              .readResponse();
      assertThat(response.status()).isEqualTo(200);
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  private static SSLSocket connect(TestServer server) throws IOException {
    return (SSLSocket) CLIENT_TLS.sslSocketFactory().createSocket("localhost", server.port());
  }

  @Test
  void tls11IsRejected() throws IOException {
    HeldCertificate leaf = leaf("a").build();
    write(leaf, leaf.privateKeyPkcs8Pem());
    try (TestServer server = TestServer.start(new RecordingProxy(), TestServer.tls(files))) {
      for (String version : new String[] {"TLSv1.2", "TLSv1.3"}) {
        try (SSLSocket socket = connect(server)) {
          socket.setEnabledProtocols(new String[] {version});
          socket.startHandshake();
          assertThat(socket.getSession().getProtocol()).isEqualTo(version);
        }
      }
      try (SSLSocket socket = connect(server)) {
        socket.setEnabledProtocols(new String[] {"TLSv1.1"});
        assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLException.class);
      }
    }
  }

  @Test
  void mismatchedFilesAreRejectedAtStart() throws IOException {
    HeldCertificate leaf = leaf("a").build();
    assertRejected(files::check);
    for (String key :
        new String[] {
          RSA.privateKeyPkcs8Pem(),
          leaf.certificatePem(),
          "",
          "-----BEGIN PRIVATE KEY-----\nAQID\n-----END PRIVATE KEY-----\n",
          leaf("b").build().privateKeyPkcs8Pem()
        }) {
      write(leaf, key);
      assertRejected(files::check);
    }
    assertRejected(() -> TestServer.start(new RecordingProxy(), TestServer.tls(files)));
  }

  @Test
  void unusableCertificateFileIsExplained() throws IOException {
    HeldCertificate leaf = leaf("a").build();
    write(leaf, leaf.privateKeyPkcs8Pem());
    String chain = Files.readString(files.certificate());

    Files.writeString(files.certificate(), chain + leaf.certificatePem());
    assertThatThrownBy(files::check).hasMessageContaining("not a chain");
    Files.writeString(files.certificate(), leaf.privateKeyPkcs8Pem() + chain);
    assertThatThrownBy(files::check).hasMessageContaining("nothing else");
  }

  private static void assertRejected(ThrowingCallable start) {
    assertThatThrownBy(start).isInstanceOf(CannotListenException.class).hasMessageContaining("TLS");
  }

  @Test
  void watchOfFilesStartsWithConnector() throws Exception {
    write(RSA, RSA.privateKeyPkcs8Pem());
    ThreadGroup threads = new ThreadGroup("listener");
    Thread creation = new Thread(threads, () -> new ServerListener(TestServer.tls(files)));
    creation.start();
    creation.join();
    assertThat(threads.activeCount()).isZero();
  }

  @Test
  void changedFilesAreLoadedOnceTheyAreUsable() throws Exception {
    HeldCertificate first = leaf("first").build();
    HeldCertificate second = leaf("second").build();
    write(first, first.privateKeyPkcs8Pem());
    try (TestServer server = TestServer.start(new RecordingProxy(), TestServer.tls(files))) {
      assertThat(servedCertificate(server)).isEqualTo(first.certificate());
      try (LogCapture log = LogCapture.of(ServerListener.class)) {
        write(second, first.privateKeyPkcs8Pem());
        log.await("does not match the certificate. The previous ones stay in use");
        assertThat(servedCertificate(server)).isEqualTo(first.certificate());
      }

      // A usable file is loaded although its time stays.
      Path usable = Files.writeString(directory.resolve("usable"), second.privateKeyPkcs8Pem());
      Files.setLastModifiedTime(usable, Files.getLastModifiedTime(files.privateKey()));
      Files.move(usable, files.privateKey(), StandardCopyOption.ATOMIC_MOVE);
      awaitServed(server, second);

      write(first, first.privateKeyPkcs8Pem());
      awaitServed(server, first);
    }
  }

  private static void awaitServed(TestServer server, HeldCertificate expected) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (System.nanoTime() < deadline) {
      if (servedCertificate(server).equals(expected.certificate())) {
        return;
      }
    }
    throw new AssertionError("the changed certificate is not used");
  }
}
