package io.tokenvault.server.config;

import static io.tokenvault.server.config.ConfigurationTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.engine.forward.ForwardProxy;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.crypto.spec.SecretKeySpec;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the settings of client certificates and of the forward proxy. */
final class EgressSettingsTest {

  private static final String FILE = "VAULT_EGRESS_KEYSTORE_FILE";
  private static final String PASSWORD = "VAULT_EGRESS_KEYSTORE_PASSWORD";
  private static final String PROXY = "VAULT_EGRESS_HTTP_PROXY";
  private static final String SECRET = "planted-secret";
  private static final String TENANT = "0f8fad5b-d9cb-469f-a165-70867728950e";
  private static final HeldCertificate CERTIFICATE = new HeldCertificate.Builder().build();

  @TempDir private Path directory;

  private String keystore(String type, String keyPassword, String... aliases)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(type);
    store.load(null, null);
    for (String alias : aliases) {
      store.setKeyEntry(
          alias,
          CERTIFICATE.keyPair().getPrivate(),
          keyPassword.toCharArray(),
          new Certificate[] {CERTIFICATE.certificate()});
    }
    store.setCertificateEntry("an authority", CERTIFICATE.certificate());
    if (type.equals("PKCS12")) {
      store.setEntry(
          "a secret",
          new KeyStore.SecretKeyEntry(new SecretKeySpec(new byte[16], "AES")),
          new KeyStore.PasswordProtection(SECRET.toCharArray()));
    }
    Path file = directory.resolve("egress." + type);
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, SECRET.toCharArray());
    }
    return file.toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PKCS12", "JKS"})
  void privateKeyAliasesAreCertificateNames(String type)
      throws IOException, GeneralSecurityException {
    String file = keystore(type, SECRET, "Acme", TENANT + "/own");

    Configuration read = Configuration.from(Map.of(FILE, file, PASSWORD, SECRET));

    assertThat(read.egressPolicy().clientCertificates()).isEqualTo(Set.of("acme", TENANT + "/own"));
    assertThat(read.toString()).doesNotContain(SECRET);
  }

  @Test
  void certificatesAreReadTogetherWithTheirNames() throws IOException, GeneralSecurityException {
    String file = keystore("PKCS12", SECRET, "acme");
    Configuration read = Configuration.from(Map.of(FILE, file, PASSWORD, SECRET));
    keystore("PKCS12", SECRET, "swapped");

    assertThat(read.proxy().clientCertificates().names())
        .isEqualTo(read.egressPolicy().clientCertificates())
        .containsExactly("acme");
    assertThat(read.proxy().clientCertificates()).hasToString("ClientCertificates[acme]");
  }

  @Test
  void passwordIsReadFromFile() throws IOException, GeneralSecurityException {
    Path password = Files.writeString(directory.resolve("password"), SECRET + "\n");
    Map<String, String> settings =
        Map.of(FILE, keystore("PKCS12", SECRET, "acme"), PASSWORD + "_FILE", password.toString());

    assertThat(Configuration.from(settings).egressPolicy().clientCertificates())
        .containsExactly("acme");
  }

  @ParameterizedTest
  @ValueSource(strings = {"wrong-password", ""})
  void wrongKeystorePasswordIsRejected(String password)
      throws IOException, GeneralSecurityException {
    Map<String, String> settings =
        Map.of(FILE, keystore("PKCS12", SECRET, "acme"), PASSWORD, password);

    assertRefused(settings)
        .hasMessageContaining("VAULT_EGRESS_KEYSTORE_")
        .hasMessageNotContaining("wrong-password");
  }

  @Test
  void keyWithDifferentPasswordIsRejected() throws IOException, GeneralSecurityException {
    assertInvalid(keystore("JKS", "another", "acme"), "that the password opens with all its keys");
  }

  @Test
  void keystoreWithoutPrivateKeysIsRejected() throws IOException, GeneralSecurityException {
    assertInvalid(keystore("PKCS12", SECRET), "without private keys");
  }

  @ParameterizedTest
  @ValueSource(strings = {"acme/own", TENANT + "/", "/own", TENANT + "/a/b"})
  void invalidAliasIsRejected(String alias) throws IOException, GeneralSecurityException {
    assertInvalid(keystore("PKCS12", SECRET, "acme", alias), "invalid: " + alias);
  }

  @Test
  void nonKeystoreIsRejected() throws IOException {
    assertInvalid(
        Files.writeString(directory.resolve("x.pem"), "pem").toString(), "is not a keystore");
    assertInvalid(directory.toString(), "is not a keystore");
    assertInvalid(directory.resolve("missing").toString(), "cannot be read");
  }

  private static void assertInvalid(String file, String reason) {
    assertRefused(Map.of(FILE, file, PASSWORD, SECRET))
        .hasMessageContaining(FILE + " ")
        .hasMessageContaining(reason)
        .hasMessageNotContaining(SECRET);
  }

  @Test
  void passwordRequiresKeystore() {
    assertRefused(Map.of(PASSWORD, SECRET))
        .hasMessageContaining(FILE + " is required")
        .hasMessageNotContaining(SECRET);
  }

  @ParameterizedTest
  @CsvSource({
    "http://proxy.internal:3128, false, proxy.internal, 3128",
    "http://proxy, false, proxy, 80",
    "HTTPS://Proxy.example/, true, proxy.example, 443",
    "http://10.0.0.1:8080, false, 10.0.0.1, 8080",
    "http://[::1]:8080, false, ::1, 8080"
  })
  void proxyIsReadFromItsUrl(String url, boolean tls, String host, int port) {
    ForwardProxy proxy = proxy(url);

    assertThat(proxy.host()).isEqualTo(host);
    assertThat(proxy.port()).isEqualTo(port);
    assertThat(proxy.tls()).isEqualTo(tls);
  }

  private static ForwardProxy proxy(String url) {
    return Configuration.from(Map.of(PROXY, url)).proxy().forwardProxy().orElseThrow();
  }

  @Test
  void proxyPasswordIsNeverPrinted() {
    ForwardProxy proxy = proxy("http://the%20user:planted-secret+%3A%40%2F@proxy.internal:3128");

    assertThat(proxy.host()).isEqualTo("proxy.internal");
    assertThat(proxy.toString()).doesNotContain(SECRET);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "proxy.internal:3128",
        "//planted-secret@proxy.internal",
        "ftp://user:planted-secret@proxy.internal",
        "socks5://user:planted-secret@proxy.internal",
        "http://",
        "http://user:planted-secret@",
        "http://planted-secret@proxy.internal",
        "http://:planted-secret@proxy.internal",
        "http://user%3Ax:planted-secret@proxy.internal",
        "http://user:planted-secret@proxy.internal:0",
        "http://user:planted-secret@proxy.internal:65536",
        "http://user:planted-secret@proxy.internal:port",
        "http://user:planted-secret@proxy.internal/path",
        "http://user:planted-secret@proxy.internal?query",
        "http://user:planted-secret@proxy.internal#fragment",
        "http://user:planted-secret@proxy internal",
        "http://user:planted-secret%zz@proxy.internal"
      })
  void invalidUrlIsRejectedAndNotRepeated(String url) {
    assertRefused(Map.of(PROXY, url))
        .hasMessageContaining(PROXY + " must be")
        .hasMessageNotContaining(SECRET);
  }

  @Test
  void proxyIsReadFromFileButNotAcceptedTwice() throws IOException {
    Path file = Files.writeString(directory.resolve("proxy"), "http://u:planted-secret@p:1\n");
    Map<String, String> settings = new HashMap<>(Map.of(PROXY + "_FILE", file.toString()));
    assertThat(Configuration.from(settings).proxy().forwardProxy().orElseThrow().host())
        .isEqualTo("p");
    settings.put(PROXY, "http://other");
    assertRefused(settings).hasMessageContaining(PROXY);
  }
}
