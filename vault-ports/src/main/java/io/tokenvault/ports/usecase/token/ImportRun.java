package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;

/**
 * One import of one file, however often it is interrupted and resumed.
 *
 * @param id recorded as the creator of its tokens, by which a resumed run recognizes them
 * @param seed the source of generated ids; whoever knows it can guess them
 * @param now by the database's clock, when the run was started or resumed
 */
public record ImportRun(TenantId tenantId, UUID id, UUID seed, Instant now) {

  private static final long VERSION_8 = 0x8000L;
  private static final long WITHOUT_VERSION = 0xFFFF_FFFF_FFFF_0FFFL;
  private static final long VARIANT = 0x8000_0000_0000_0000L;
  private static final long WITHOUT_VARIANT = 0x3FFF_FFFF_FFFF_FFFFL;

  public ImportRun {
    Objects.requireNonNull(tenantId, "tenantId");
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(seed, "seed");
    Objects.requireNonNull(now, "now");
  }

  /**
   * Returns the id of a line's token if the line has none. It is derived from the seed and the line
   * number, so that a resumed run generates identical ids.
   */
  TokenId idOf(long line) {
    byte[] text = (seed + "/" + line).getBytes(StandardCharsets.US_ASCII);
    ByteBuffer hash = ByteBuffer.wrap(sha256().digest(text));
    long high = (hash.getLong() & WITHOUT_VERSION) | VERSION_8;
    long low = (hash.getLong() & WITHOUT_VARIANT) | VARIANT;
    return new TokenId(new UUID(high, low).toString());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("the JDK has SHA-256", e);
    }
  }

  /** Returns the id only, because the seed is secret. */
  @Override
  public String toString() {
    return "ImportRun[" + id + "]";
  }
}
