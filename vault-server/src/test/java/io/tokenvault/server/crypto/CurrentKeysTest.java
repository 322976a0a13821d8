package io.tokenvault.server.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeyStatus;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.aead.AeadConfig2026;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import com.google.crypto.tink.prf.HmacPrfKey;
import com.google.crypto.tink.prf.PredefinedPrfParameters;
import com.google.crypto.tink.prf.PrfConfig2026;
import com.google.crypto.tink.util.SecretBytes;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.secret.ProxyKey;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.crypto.KeyHash;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class CurrentKeysTest {

  private static final byte[] OLD =
      "an old hashing key, 32 bytes....".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NEW =
      "the new hashing key, 32 bytes...".getBytes(StandardCharsets.US_ASCII);
  private static final int OLD_ID = 7;
  private static final int NEW_ID = 0xF0000001;

  private final ApiKey apiKey = ApiKey.generate(new SecureRandom());
  private final ProxyKey proxyKey = ProxyKey.generate(new SecureRandom());

  @Test
  void hashIsHmacSha256OfPurposeAndKey() throws GeneralSecurityException {
    CurrentKeys hasher = hasher(entry(OLD, OLD_ID).makePrimary());

    assertThat(hasher.hash(apiKey))
        .isEqualTo(new KeyHash(OLD_ID, hmac(OLD, "api-key:", apiKey.value())));
    assertThat(hasher.hash(proxyKey))
        .isEqualTo(new KeyHash(OLD_ID, hmac(OLD, "proxy-key:", proxyKey.value())));
  }

  @Test
  void everyEnabledKeyHashesAndPrimaryKeyIsFirst() throws GeneralSecurityException {
    CurrentKeys hasher = hasher(entry(OLD, OLD_ID), entry(NEW, NEW_ID).makePrimary());

    assertThat(hasher.hashes(apiKey))
        .containsExactly(
            new KeyHash(NEW_ID, hmac(NEW, "api-key:", apiKey.value())),
            new KeyHash(OLD_ID, hmac(OLD, "api-key:", apiKey.value())));
    assertThat(hasher.hash(apiKey).version()).isEqualTo(NEW_ID).isNegative();
  }

  @Test
  void disabledKeyDoesNotHash() throws GeneralSecurityException {
    CurrentKeys hasher =
        hasher(entry(OLD, OLD_ID).setStatus(KeyStatus.DISABLED), entry(NEW, NEW_ID).makePrimary());

    assertThat(hasher.hashes(apiKey)).extracting(KeyHash::version).containsExactly(NEW_ID);
  }

  @Test
  void secretsAreNotPrinted() throws GeneralSecurityException {
    CurrentKeys hasher = hasher(entry(OLD, OLD_ID).makePrimary());
    String text = new String(apiKey.value().open(), StandardCharsets.US_ASCII);

    assertThat(List.of(hasher, hasher.hashes(apiKey)))
        .asString()
        .doesNotContain(text, "hashing key");
  }

  private static byte[] hmac(byte[] key, String purpose, SensitiveValue value)
      throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    mac.update(purpose.getBytes(StandardCharsets.US_ASCII));
    return mac.doFinal(value.open());
  }

  private static KeysetHandle.Builder.Entry entry(byte[] key, int id)
      throws GeneralSecurityException {
    HmacPrfKey imported =
        HmacPrfKey.builder()
            .setParameters(PredefinedPrfParameters.HMAC_SHA256_PRF)
            .setKeyBytes(SecretBytes.copyFrom(key, InsecureSecretKeyAccess.get()))
            .build();
    return KeysetHandle.importKey(imported).withFixedId(id);
  }

  private static CurrentKeys hasher(KeysetHandle.Builder.Entry... entries)
      throws GeneralSecurityException {
    KeysetHandle.Builder builder = KeysetHandle.newBuilder().setConfiguration(PrfConfig2026.get());
    List.of(entries).forEach(builder::addEntry);
    KeysetHandle master =
        KeysetHandle.generateNew(PredefinedAeadParameters.AES256_GCM, AeadConfig2026.get());
    return new CurrentKeys(new MasterKeyset(master, builder.build()));
  }
}
