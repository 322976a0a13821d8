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
 * One import of one file, however often it is broken off and gone on with.
 *
 * @param id what stands for its tokens' creator, by which they are known again
 * @param seed what ids are made of where a line has none; who has it can guess them
 * @param now by the database's clock, when it was begun or gone on with
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

  /** The id that a line's token gets if the line has none: the same whenever it is asked for. */
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

  /** Without the seed. */
  @Override
  public String toString() {
    return "ImportRun[" + id + "]";
  }
}
