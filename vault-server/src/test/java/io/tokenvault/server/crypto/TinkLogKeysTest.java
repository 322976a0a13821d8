package io.tokenvault.server.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.audit.integrity.LogTag;
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
  private final TinkLogKeys keys = new TinkLogKeys(keyset);

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
    LogTag signature = keys.sign(CONTENT);
    MasterKeyset otherKeyset = MasterKeyset.generate();
    TinkLogKeys other = new TinkLogKeys(otherKeyset);
    assertThat(other.confirms(Use.ENTRY, CONTENT, mac)).isFalse();
    assertThat(other.confirmsSignature(CONTENT, signature)).isFalse();
    LogTag forged = new LogTag(otherKeyset.primary(MasterKeyId.Use.KEY_HASH).id(), mac.bytes());
    assertThat(other.confirms(Use.ENTRY, CONTENT, forged)).isFalse();
  }

  @Test
  void newKeyAuthenticatesAndOldTagsStayValid() {
    LogTag mac = keys.authenticate(Use.CHAIN_LINK, CONTENT);
    LogTag signature = keys.sign(CONTENT);
    TinkLogKeys after = new TinkLogKeys(keyset.withNewKey().promoted());
    assertThat(after.confirms(Use.CHAIN_LINK, CONTENT, mac)).isTrue();
    assertThat(after.confirmsSignature(CONTENT, signature)).isTrue();
    assertThat(after.authenticate(Use.CHAIN_LINK, CONTENT).keyId()).isNotEqualTo(mac.keyId());
    assertThat(after.sign(CONTENT).keyId()).isNotEqualTo(signature.keyId());
  }

  @Test
  void signatureIsValidOnlyForItsContent() {
    LogTag signature = keys.sign(CONTENT);
    assertThat(signature.bytes()).hasSize(64);
    assertThat(keys.confirmsSignature(CONTENT, signature)).isTrue();
    assertThat(keys.confirmsSignature(OTHER, signature)).isFalse();
  }

  @Test
  void keysAreNotPrinted() {
    assertThat(keys).hasToString("TinkLogKeys[redacted]");
  }
}
