package io.tokenvault.ports.memory;

import io.tokenvault.domain.audit.integrity.LogTag;
import io.tokenvault.ports.crypto.LogKeys;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Log keys for tests that compute real MACs with well-known keys. */
public final class SmallLogKeys implements LogKeys {

  private static final String ALGORITHM = "HmacSHA256";
  private static final int KEY_ID = 1;

  @Override
  public LogTag authenticate(Use use, byte[] content) {
    try {
      Mac function = Mac.getInstance(ALGORITHM);
      function.init(new SecretKeySpec(use.name().getBytes(StandardCharsets.US_ASCII), ALGORITHM));
      return new LogTag(KEY_ID, function.doFinal(content));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean confirms(Use use, byte[] content, LogTag mac) {
    return mac.keyId() == KEY_ID
        && MessageDigest.isEqual(authenticate(use, content).bytes(), mac.bytes());
  }
}
