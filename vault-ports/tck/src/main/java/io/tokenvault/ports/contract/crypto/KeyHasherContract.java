package io.tokenvault.ports.contract.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.secret.ProxyKey;
import io.tokenvault.ports.contract.BrokenLaw;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.KeyHasher;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Contract tests for {@link KeyHasher}. */
@ExtendWith(BrokenLaw.class)
public abstract class KeyHasherContract {

  private final ApiKey apiKey = ApiKey.generate(new Random());
  private final ProxyKey proxyKey = ProxyKey.generate(new Random());

  /** Returns hashers with identical hashing keys. */
  protected abstract KeyHasher hasher();

  @Test
  void keyHashIsDeterministic() {
    assertThat(hasher().hashes(apiKey)).isEqualTo(hasher().hashes(apiKey)).isNotEmpty();
    assertThat(hasher().hashes(proxyKey)).isEqualTo(hasher().hashes(proxyKey)).isNotEmpty();
  }

  @Test
  void currentHashIsFirst() {
    assertThat(hasher().hash(apiKey)).isEqualTo(hasher().hashes(apiKey).get(0));
    assertThat(hasher().hash(proxyKey)).isEqualTo(hasher().hashes(proxyKey).get(0));
  }

  @Test
  void everyVersionProducesOneHash() {
    assertThat(hasher().hashes(apiKey)).extracting(KeyHash::version).doesNotHaveDuplicates();
  }

  @Test
  void differentKeysHashDifferently() {
    ApiKey other = ApiKey.generate(new Random());

    assertThat(hasher().hash(apiKey)).isNotEqualTo(hasher().hash(other));
  }

  @Test
  void identicalStringHashesDifferentlyAsApiKeyAndProxyKey() {
    ProxyKey identical = ProxyKey.of(apiKey.value());

    List<KeyHash> asProxyKey = hasher().hashes(identical);

    assertThat(hasher().hashes(apiKey)).doesNotContainAnyElementsOf(asProxyKey);
  }

  @Test
  void hashDoesNotRevealKey() {
    String key = new String(apiKey.value().open(), StandardCharsets.ISO_8859_1);
    for (KeyHash hash : hasher().hashes(apiKey)) {
      assertThat(new String(hash.bytes(), StandardCharsets.ISO_8859_1)).doesNotContain(key);
      assertThat(hash.bytes()).hasSizeGreaterThanOrEqualTo(32);
    }
  }
}
