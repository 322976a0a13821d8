package io.tokenvault.engine.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.KeyStore;
import java.security.cert.Certificate;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the reading of client certificates from the operator's keystore. */
class ClientCertificatesTest {

  private static final String PASSWORD = "a-password";

  private final HeldCertificate certificate = new HeldCertificate.Builder().ecdsa256().build();

  private KeyStore emptyKeyStore(String type) throws Exception {
    KeyStore keys = KeyStore.getInstance(type);
    keys.load(null, null);
    return keys;
  }

  private void add(KeyStore keys, String alias, String password) throws Exception {
    keys.setKeyEntry(
        alias,
        certificate.keyPair().getPrivate(),
        password.toCharArray(),
        new Certificate[] {certificate.certificate()});
  }

  @ParameterizedTest
  @ValueSource(strings = {"PKCS12", "JKS"})
  void privateKeysAreIdentifiedByLowerCaseName(String type) throws Exception {
    KeyStore keys = emptyKeyStore(type);
    add(keys, "Acme", PASSWORD);
    keys.setCertificateEntry("authority", certificate.certificate());

    ClientCertificates read = ClientCertificates.of(keys, PASSWORD.toCharArray());

    assertThat(read.names()).containsExactly("acme");
    assertThat(read.keyManagers("acme")).isPresent();
    assertThat(read).hasToString("ClientCertificates[acme]");
  }

  @Test
  void keystoreWithoutPrivateKeyHasNoCertificates() throws Exception {
    KeyStore keys = emptyKeyStore("PKCS12");
    keys.setCertificateEntry("authority", certificate.certificate());

    assertThat(ClientCertificates.of(keys, PASSWORD.toCharArray()).names()).isEmpty();
  }

  @Test
  void keyWithDifferentPasswordIsReported() throws Exception {
    KeyStore keys = emptyKeyStore("JKS");
    add(keys, "acme", "own-password");

    assertThatThrownBy(() -> ClientCertificates.of(keys, PASSWORD.toCharArray()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause()
        .hasMessageContaining("another password")
        .message()
        .doesNotContain(PASSWORD);
  }
}
