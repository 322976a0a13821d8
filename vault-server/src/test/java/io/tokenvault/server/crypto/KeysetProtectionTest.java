package io.tokenvault.server.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.server.config.ConfigurationException;
import io.tokenvault.server.crypto.MasterKeyset.KeysetFileException;
import io.tokenvault.server.environment.Unchecked;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeysetProtectionTest {

  private static final KeysetProtection CLEAR = KeysetProtection.clear();
  private static final String URI =
      "aws-kms://arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";

  private final FakeKms kms = new FakeKms();
  private final KeysetProtection byKms = KeysetProtection.by(kms.newKey());

  @TempDir private Path directory;

  @Test
  void keysetCreatedWithServiceIsLoadedWithIt() {
    MasterKeyset created = MasterKeyset.create(file(), byKms);
    MasterKeyset loaded = MasterKeyset.load(file(), byKms);

    assertThat(loaded.ids()).hasSize(2).isEqualTo(created.ids());
  }

  @Test
  void fileContainsNoPlaintextKey() throws IOException {
    MasterKeyset.create(file(), byKms);

    assertThat(Files.readString(file()))
        .contains("\"master\":{\"encryptedKeyset\":", "\"key_hash\":{\"encryptedKeyset\":")
        .doesNotContain("\"value\"", "keyData");
  }

  @Test
  void replacedFileIsEncryptedToo() throws IOException {
    MasterKeyset rotated = MasterKeyset.create(file(), byKms).withNewKey();

    rotated.replace(file(), byKms);

    assertThat(Files.readString(file())).doesNotContain("keyData");
    assertThat(MasterKeyset.load(file(), byKms).ids()).hasSize(4).isEqualTo(rotated.ids());
  }

  @Test
  void plaintextFileIsRejectedIfServiceIsConfigured() {
    MasterKeyset.create(file(), CLEAR);

    assertRefused(() -> MasterKeyset.load(file(), byKms))
        .hasMessageContaining("is not encrypted, but VAULT_MASTER_KEY_URI is set");
  }

  @Test
  void encryptedFileIsRejectedIfNoServiceIsConfigured() {
    MasterKeyset.create(file(), byKms);

    assertRefused(() -> MasterKeyset.load(file(), CLEAR))
        .hasMessageContaining(
            "is encrypted with a key management service: set VAULT_MASTER_KEY_URI");
  }

  @Test
  void otherKeyOfServiceDoesNotDecryptFile() {
    MasterKeyset.create(file(), byKms);
    KeysetProtection other = KeysetProtection.by(kms.newKey());

    assertRefused(() -> MasterKeyset.load(file(), other))
        .hasMessageContaining("cannot be used with the key in VAULT_MASTER_KEY_URI");
  }

  @Test
  void swappedKeysetsAreRejected() throws IOException {
    MasterKeyset.create(file(), byKms);
    String swapped =
        Files.readString(file())
            .replace("\"key_hash\":", "\"x\":")
            .replace("\"master\":", "\"key_hash\":")
            .replace("\"x\":", "\"master\":");
    Files.writeString(file(), swapped);

    assertRefused(() -> MasterKeyset.load(file(), byKms));
  }

  @Test
  void unreachableServiceIsReportedWithoutItsMessage() {
    MasterKeyset created = MasterKeyset.create(file(), byKms);
    kms.disconnect();

    assertRefused(() -> MasterKeyset.load(file(), byKms))
        .hasMessageContaining("the service is unreachable")
        .hasMessageNotContaining("marker")
        .hasNoCause();
    assertRefused(() -> created.replace(file(), byKms)).hasNoCause();
    assertRefused(() -> MasterKeyset.create(directory.resolve("other.json"), byKms));
    assertThat(directory.resolve("other.json")).doesNotExist();
  }

  @Test
  void awsKeyIsRejectedWithoutAwsSdk() throws Exception {
    URL[] others =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.contains("awssdk"))
            .map(entry -> Unchecked.get(() -> Path.of(entry).toUri().toURL()))
            .toArray(URL[]::new);
    try (URLClassLoader loader = new URLClassLoader(others, ClassLoader.getPlatformClassLoader())) {
      Method of =
          loader.loadClass(KeysetProtection.class.getName()).getMethod("of", Optional.class);

      assertThat(of.invoke(null, Optional.empty())).hasToString(CLEAR.toString());
      assertThatThrownBy(() -> of.invoke(null, Optional.of(URI)))
          .cause()
          .hasMessageContaining("VAULT_MASTER_KEY_URI needs the AWS SDK");
    }
  }

  @Test
  void realClientAcceptsKeyUriWithoutCallingService() {
    assertThat(KeysetProtection.of(Optional.of(URI)))
        .asString()
        .isEqualTo("KeysetProtection[by KMS]");
    assertThatThrownBy(() -> KeysetProtection.of(Optional.of("gcp-kms://projects/one")))
        .isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> KeysetProtection.of(Optional.of("aws-kms://marker")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageNotContaining("marker");
  }

  @Test
  void stringFormShowsOnlyProtectionKind() {
    assertThat(byKms).asString().isEqualTo("KeysetProtection[by KMS]");
    assertThat(CLEAR).asString().isEqualTo("KeysetProtection[clear]");
  }

  private static AbstractThrowableAssert<?, ?> assertRefused(ThrowingCallable work) {
    return assertThatThrownBy(work).isInstanceOf(KeysetFileException.class);
  }

  private Path file() {
    return directory.resolve("keyset.json");
  }
}
