package io.tokenvault.engine.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading the operator's keystore, and telling what is wrong with it. */
class ClientCertificatesTest {

  private static final String PASSWORD = "a-password";

  @TempDir Path folder;
  private final HeldCertificate held = new HeldCertificate.Builder().ecdsa256().build();

  private KeyStore empty(String type) throws Exception {
    KeyStore keys = KeyStore.getInstance(type);
    keys.load(null, null);
    return keys;
  }

  private void add(KeyStore keys, String alias, String password) throws Exception {
    keys.setKeyEntry(
        alias,
        held.keyPair().getPrivate(),
        password.toCharArray(),
        new Certificate[] {held.certificate()});
  }

  private Path stored(KeyStore keys) throws Exception {
    Path file = folder.resolve("keys");
    try (var out = Files.newOutputStream(file)) {
      keys.store(out, PASSWORD.toCharArray());
    }
    return file;
  }

  @ParameterizedTest
  @ValueSource(strings = {"PKCS12", "JKS"})
  void privateKeysAreKnownByTheirNamesInLowerCase(String type) throws Exception {
    KeyStore keys = empty(type);
    add(keys, "Acme", PASSWORD);
    keys.setCertificateEntry("authority", held.certificate());

    ClientCertificates read = ClientCertificates.load(stored(keys), PASSWORD.toCharArray());

    assertThat(read.names()).containsExactly("acme");
    assertThat(read.keyManagers("acme")).isPresent();
    assertThat(read).hasToString("ClientCertificates[acme]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PKCS12", "JKS"})
  void aWrongPasswordIsNamed(String type) throws Exception {
    KeyStore keys = empty(type);
    add(keys, "acme", PASSWORD);

    assertRefused(stored(keys), "another-password", "password", "wrong");
  }

  @Test
  void aFileThatDoesNotExistIsNamed() {
    assertRefused(folder.resolve("none"), PASSWORD, "does not exist");
  }

  @Test
  void aFileThatIsNoKeystoreIsNamed() throws Exception {
    assertRefused(Files.writeString(folder.resolve("text"), "text"), PASSWORD, "neither PKCS #12");
  }

  @Test
  void aKeystoreWithoutPrivateKeyIsNamed() throws Exception {
    KeyStore keys = empty("PKCS12");
    keys.setCertificateEntry("authority", held.certificate());

    assertRefused(stored(keys), PASSWORD, "has no private key");
  }

  @Test
  void aKeyWithAPasswordOfItsOwnIsNamed() throws Exception {
    KeyStore keys = empty("JKS");
    add(keys, "acme", "own-password");

    assertRefused(stored(keys), PASSWORD, "does not open");
  }

  private static void assertRefused(Path file, String password, String... texts) {
    assertThatThrownBy(() -> ClientCertificates.load(file, password.toCharArray()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause()
        .hasMessageContainingAll(texts)
        .message()
        .doesNotContain(password);
  }
}
