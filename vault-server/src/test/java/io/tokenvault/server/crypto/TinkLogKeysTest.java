package io.tokenvault.server.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.audit.integrity.LogTag;
import io.tokenvault.ports.crypto.LogKeys;
import io.tokenvault.ports.crypto.LogKeys.Use;
import io.tokenvault.ports.crypto.MasterKeyId;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class TinkLogKeysTest {

  private static final byte[] CONTENT = "content".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] OTHER = "Content".getBytes(StandardCharsets.US_ASCII);

  private final MasterKeyset keyset = MasterKeyset.generate();
  private final LogKeys keys = new TinkLogKeys(keyset);
  private final TinkLogKeys signing = new TinkLogKeys(keyset);

  @ParameterizedTest
  @EnumSource
  void macIsValidOnlyForItsContentAndUse(Use use) {
    LogTag mac = keys.authenticate(use, CONTENT);
    assertThat(mac.bytes()).hasSize(32);
    assertThat(keys.confirms(use, CONTENT, mac)).isTrue();
    assertThat(keys.confirms(use, OTHER, mac)).isFalse();
    for (Use other : Use.values()) {
      assertThat(keys.confirms(other, CONTENT, mac)).isEqualTo(other == use);
    }
  }

  @Test
  void anotherKeysetConfirmsNothing() {
    LogTag mac = keys.authenticate(Use.ENTRY, CONTENT);
    LogTag signature = signing.sign(CONTENT);
    MasterKeyset other = MasterKeyset.generate();
    assertThat(new TinkLogKeys(other).confirms(Use.ENTRY, CONTENT, mac)).isFalse();
    assertThat(new TinkLogKeys(other).confirmsSignature(CONTENT, signature)).isFalse();
    int otherId = other.ids(MasterKeyId.Use.KEY_HASH).get(0);
    assertThat(
            new TinkLogKeys(other).confirms(Use.ENTRY, CONTENT, new LogTag(otherId, mac.bytes())))
        .isFalse();
  }

  @Test
  void afterANewKeyTheOldMacsAndSignaturesAreConfirmedAndNewOnesAreUnderTheNew() {
    LogTag mac = keys.authenticate(Use.SEAL, CONTENT);
    LogTag signature = signing.sign(CONTENT);
    MasterKeyset promoted = keyset.withNewKey().promoted();
    LogKeys after = new TinkLogKeys(promoted);
    TinkLogKeys signingAfter = new TinkLogKeys(promoted);
    assertThat(after.confirms(Use.SEAL, CONTENT, mac)).isTrue();
    assertThat(signingAfter.confirmsSignature(CONTENT, signature)).isTrue();
    assertThat(after.authenticate(Use.SEAL, CONTENT).keyId()).isNotEqualTo(mac.keyId());
    assertThat(signingAfter.sign(CONTENT).keyId()).isNotEqualTo(signature.keyId());
  }

  @Test
  void signatureIsValidOnlyForItsContent() {
    LogTag signature = signing.sign(CONTENT);
    assertThat(signature.bytes()).hasSize(64);
    assertThat(signing.confirmsSignature(CONTENT, signature)).isTrue();
    assertThat(signing.confirmsSignature(OTHER, signature)).isFalse();
  }

  @Test
  void keysAreNotPrinted() {
    assertThat(keys).hasToString("TinkLogKeys[redacted]");
    assertThat(signing).hasToString("TinkLogKeys[redacted]");
  }
}
