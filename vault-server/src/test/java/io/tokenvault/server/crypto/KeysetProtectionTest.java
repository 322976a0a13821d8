package io.tokenvault.server.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.server.config.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeysetProtectionTest {

  private static final KeysetProtection CLEAR = KeysetProtection.clear();
  private static final String URI = FakeKms.SCHEME + "one";

  private final FakeKms kms = new FakeKms();
  private final KeysetProtection byKms = KeysetProtection.by(kms, URI);

  @TempDir private Path directory;

  @Test
  void whatWasCreatedUnderTheServiceIsLoadedUnderIt() {
    MasterKeyset created = MasterKeyset.create(file(), byKms);
    MasterKeyset loaded = MasterKeyset.load(file(), byKms);

    assertThat(loaded.masterKeyIds()).isEqualTo(created.masterKeyIds());
    assertThat(loaded.hashKeyIds()).isEqualTo(created.hashKeyIds());
  }

  @Test
  void theFileShowsNoKey() throws IOException {
    MasterKeyset.create(file(), byKms);

    assertThat(Files.readString(file()))
        .contains("\"master\":{\"encryptedKeyset\":", "\"key_hash\":{\"encryptedKeyset\":")
        .doesNotContain("\"value\"", "keyData");
  }

  @Test
  void aReplacedFileIsEncryptedToo() throws IOException {
    MasterKeyset rotated = MasterKeyset.create(file(), byKms).withNewKey();

    rotated.replace(file(), byKms);

    assertThat(Files.readString(file())).doesNotContain("keyData");
    assertThat(MasterKeyset.load(file(), byKms).masterKeyIds()).isEqualTo(rotated.masterKeyIds());
  }

  @Test
  void aFileInClearTextIsRefusedWhereAServiceIsSet() {
    MasterKeyset.create(file(), CLEAR);

    assertThatThrownBy(() -> MasterKeyset.load(file(), byKms))
        .isInstanceOf(KeysetFileException.class)
        .hasMessageContaining("is not encrypted, but VAULT_MASTER_KEY_URI is set");
  }

  @Test
  void anEncryptedFileIsRefusedWhereNoServiceIsSet() {
    MasterKeyset.create(file(), byKms);

    assertThatThrownBy(() -> MasterKeyset.load(file(), CLEAR))
        .isInstanceOf(KeysetFileException.class)
        .hasMessageContaining("is encrypted by a key management service: set VAULT_MASTER_KEY_URI");
  }

  @Test
  void anotherKeyOfTheServiceDoesNotOpenTheFile() {
    MasterKeyset.create(file(), byKms);
    KeysetProtection other = KeysetProtection.by(kms, FakeKms.SCHEME + "two");

    assertThatThrownBy(() -> MasterKeyset.load(file(), other))
        .isInstanceOf(KeysetFileException.class)
        .hasMessageContaining("cannot be used with the key in VAULT_MASTER_KEY_URI");
  }

  @Test
  void keysetsInEachOthersPlaceAreRefused() throws IOException {
    MasterKeyset.create(file(), byKms);
    String swapped =
        Files.readString(file())
            .replace("\"key_hash\":", "\"x\":")
            .replace("\"master\":", "\"key_hash\":")
            .replace("\"x\":", "\"master\":");
    Files.writeString(file(), swapped);

    assertThatThrownBy(() -> MasterKeyset.load(file(), byKms))
        .isInstanceOf(KeysetFileException.class);
  }

  @Test
  void aServiceThatIsAwayIsToldAndWhatItSaidIsNot() {
    MasterKeyset created = MasterKeyset.create(file(), byKms);
    kms.goAway();

    assertThatThrownBy(() -> MasterKeyset.load(file(), byKms))
        .isInstanceOf(KeysetFileException.class)
        .hasMessageContaining("the service cannot be reached")
        .hasMessageNotContaining("marker")
        .hasNoCause();
    assertThatThrownBy(() -> created.replace(file(), byKms))
        .isInstanceOf(KeysetFileException.class)
        .hasNoCause();
    assertThatThrownBy(() -> MasterKeyset.create(directory.resolve("other.json"), byKms))
        .isInstanceOf(KeysetFileException.class);
    assertThat(directory.resolve("other.json")).doesNotExist();
  }

  @Test
  void aUriThatTheClientDoesNotTakeIsRefused() {
    assertThatThrownBy(() -> KeysetProtection.by(kms, "other-kms://one"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageNotContaining("other-kms");
  }

  @Test
  void theRealClientTakesTheUriOfAKeyWithoutCallingTheService() {
    String arn = "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";

    assertThat(KeysetProtection.of(Optional.of("aws-kms://" + arn)))
        .asString()
        .isEqualTo("KeysetProtection[by KMS]");
    assertThatThrownBy(() -> KeysetProtection.of(Optional.of("gcp-kms://projects/one")))
        .isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> KeysetProtection.of(Optional.of("aws-kms://marker")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageNotContaining("marker");
  }

  @Test
  void withoutAUriTheFileIsInClearText() {
    assertThat(KeysetProtection.of(Optional.empty())).asString().isEqualTo(CLEAR.toString());
  }

  @Test
  void printingSaysWhichWayOnly() {
    assertThat(byKms).asString().isEqualTo("KeysetProtection[by KMS]");
    assertThat(CLEAR).asString().isEqualTo("KeysetProtection[clear]");
  }

  private Path file() {
    return directory.resolve("keyset.json");
  }
}
