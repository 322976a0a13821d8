package io.tokenvault.server.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.contract.Race;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.KeyProof;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.MasterKeyId;
import io.tokenvault.ports.crypto.MasterKeyId.Use;
import io.tokenvault.ports.crypto.WrappedKey;
import io.tokenvault.server.crypto.MasterKeyset.KeysetFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class MasterKeysetTest {

  private static final KeysetProtection CLEAR = KeysetProtection.clear();
  private static final TenantId TENANT = new TenantId(UUID.randomUUID());

  @TempDir private Path directory;

  private final MasterKeyset keys = MasterKeyset.generate();

  @Test
  void createdKeysetIsLoaded() {
    MasterKeyset created = MasterKeyset.create(file(), CLEAR);
    MasterKeyset loaded = MasterKeyset.load(file(), CLEAR);
    ApiKey key = ApiKey.generate(new SecureRandom());

    assertThat(new CurrentKeys(loaded).hashes(key)).isEqualTo(new CurrentKeys(created).hashes(key));
  }

  @Test
  void fileContainsTwoTinkKeysets() throws IOException {
    MasterKeyset.create(file(), CLEAR);

    assertThat(Files.readString(file()))
        .startsWith("{\"master\":{\"primaryKeyId\":")
        .contains("\"key_hash\":{\"primaryKeyId\":")
        .contains("AesGcmKey")
        .contains("HmacPrfKey");
  }

  @Test
  void fileIsNeverOverwritten() throws IOException {
    MasterKeyset.create(file(), CLEAR);
    byte[] before = Files.readAllBytes(file());

    assertRefused(() -> MasterKeyset.create(file(), CLEAR)).hasMessageContaining("exists already");
    assertThat(file()).hasBinaryContent(before);
    assertThat(directory.toFile().list()).containsExactly("keyset.json");
  }

  @Test
  void onlyOneConcurrentCreationSucceeds() {
    List<Boolean> created = Race.run(i -> tryToCreate());

    assertThat(created).containsOnlyOnce(true);
    assertThat(directory.toFile().list()).containsExactly("keyset.json");
  }

  private boolean tryToCreate() {
    try {
      MasterKeyset.create(file(), CLEAR);
      return true;
    } catch (KeysetFileException exists) {
      return false;
    }
  }

  @Test
  void promotedKeyHashesFirstAndOldKeyStillHashes() {
    ApiKey key = ApiKey.generate(new SecureRandom());
    MasterKeyset one = MasterKeyset.generate();
    MasterKeyset two = one.withNewKey();
    KeyHash old = new CurrentKeys(one).hash(key);

    assertThat(new CurrentKeys(two).hashes(key)).hasSize(2).startsWith(old);
    assertThat(new CurrentKeys(two.promoted()).hashes(key)).hasSize(2).endsWith(old);
  }

  @Test
  void replacedFileHasNewKeysAndIsOnlyFileAndOwnerOnly() throws IOException {
    MasterKeyset rotated = MasterKeyset.create(file(), CLEAR).withNewKey().promoted();

    rotated.replace(file(), CLEAR);

    MasterKeyset loaded = MasterKeyset.load(file(), CLEAR);
    assertThat(loaded.ids()).hasSize(4).isEqualTo(rotated.ids());
    assertThat(loaded.primary(Use.WRAPPING)).isEqualTo(rotated.primary(Use.WRAPPING));
    assertThat(loaded.primary(Use.KEY_HASH)).isEqualTo(rotated.primary(Use.KEY_HASH));
    assertThat(loaded.hasUnpromotedKeys()).isFalse();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
    assertThat(directory.toFile().list()).containsExactly("keyset.json");
  }

  @Test
  void unwritableFileIsReported() {
    Path nowhere = directory.resolve("missing").resolve("keyset.json");

    assertRefused(() -> MasterKeyset.generate().replace(nowhere, CLEAR))
        .hasMessageContaining("cannot be written: its directory does not exist");
  }

  @Test
  void missingFileIsNamed() {
    assertRefused(() -> MasterKeyset.load(file(), CLEAR))
        .hasMessage("master keyset file " + file() + " does not exist");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-----w-", "rwx--x---"})
  void fileAccessibleToOthersIsRejected(String permissions) throws IOException {
    MasterKeyset.create(file(), CLEAR);
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString(permissions));

    assertRefused(() -> MasterKeyset.load(file(), CLEAR))
        .hasMessageContaining("chmod 600 " + file());
  }

  @Test
  void fileReadableOnlyByOwnerIsLoaded() throws IOException {
    MasterKeyset.create(file(), CLEAR);
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("r--------"));

    assertThat(MasterKeyset.load(file(), CLEAR)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "marker",
        "[]",
        "{}",
        "{\"master\":{}}",
        "{\"master\":{},\"key_hash\":{}}",
        "{\"master\":\"marker\",\"key_hash\":\"marker\"}",
        "{\"master\":{\"primaryKeyId\":1,\"key\":[{\"marker\":1}]},\"key_hash\":{}}",
        "{\"master\":{\"primaryKeyId\":1,\"key\":[{\"keyData\":{\"typeUrl\":\"marker\",\"value\":"
            + "\"bWFya2Vy\",\"keyMaterialType\":\"SYMMETRIC\"},\"status\":\"ENABLED\",\"keyId\":1,"
            + "\"outputPrefixType\":\"TINK\"}]},\"key_hash\":{}}"
      })
  void invalidContentIsRejectedAndNotRepeated(String content) throws IOException {
    MasterKeyset.create(file(), CLEAR);
    Files.writeString(file(), content);

    assertRefused(() -> MasterKeyset.load(file(), CLEAR))
        .hasMessageContaining("is not a master keyset file")
        .hasMessageNotContaining("marker")
        .hasNoCause();
  }

  @Test
  void swappedKeysetsAreRejected() throws IOException {
    MasterKeyset.create(file(), CLEAR);
    String swapped =
        Files.readString(file())
            .replace("\"key_hash\"", "\"x\"")
            .replace("\"master\"", "\"key_hash\"")
            .replace("\"x\"", "\"master\"");
    Files.writeString(file(), swapped);

    assertRefused(() -> MasterKeyset.load(file(), CLEAR))
        .hasMessageContaining("is not a master keyset file");
  }

  @Test
  void truncatedFileIsRejected() throws IOException {
    MasterKeyset.create(file(), CLEAR);
    String whole = Files.readString(file());
    for (int length = 0; length < whole.length(); length += 7) {
      Files.writeString(file(), whole.substring(0, length));

      assertRefused(() -> MasterKeyset.load(file(), CLEAR)).hasNoCause();
    }
  }

  @Test
  void directoryIsRejected() throws IOException {
    Files.createDirectory(file());
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rwx------"));

    assertRefused(() -> MasterKeyset.load(file(), CLEAR))
        .hasMessageContaining("is not a master keyset file");
  }

  @Test
  void secretsAreNotPrinted() {
    assertThat(MasterKeyset.generate()).hasToString("MasterKeyset[redacted]");
  }

  private static AbstractThrowableAssert<?, ?> assertRefused(ThrowingCallable work) {
    return assertThatThrownBy(work).isInstanceOf(KeysetFileException.class);
  }

  private Path file() {
    return directory.resolve("keyset.json");
  }

  @ParameterizedTest
  @EnumSource
  void proofIsConfirmedOnlyByHolderOfKey(Use use) {
    KeyProof proof = keys.prove(keys.primary(use));
    assertThat(keys.confirms(proof)).isTrue();
    MasterKeyset later = keys.withNewKey().promoted();
    assertThat(later.confirms(proof)).isTrue();
    MasterKeyset others = MasterKeyset.generate();
    KeyProof claimed = new KeyProof(others.primary(use), proof.proof());
    assertThat(others.confirms(claimed)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void newKeyIsPrimaryOncePromoted(Use use) {
    MasterKeyset added = keys.withNewKey();
    assertThat(added.hasUnpromotedKeys()).isTrue();
    assertThat(added.primary(use)).isEqualTo(keys.primary(use));
    assertThat(added.ids()).hasSize(4).containsAll(keys.ids());
    assertThat(added.promoted().hasUnpromotedKeys()).isFalse();
    assertThat(added.promoted().primary(use)).isNotEqualTo(keys.primary(use));
  }

  @Test
  void wrappedKeyIsUnwrappedOnlyByHolderOfMasterKey() {
    WrappedKey wrapped = new TinkKeyWrapper(keys).create(TENANT, KeyPurpose.DATA, 1);
    MasterKeyId wrapping = keys.primary(Use.WRAPPING);
    assertThat(keys.wrapping(wrapped)).isEqualTo(wrapping);
    assertThat(keys.unwraps(TENANT, wrapped)).isTrue();
    assertThat(keys.unwraps(new TenantId(UUID.randomUUID()), wrapped)).isFalse();
    assertThat(MasterKeyset.generate().unwraps(TENANT, wrapped)).isFalse();
  }
}
