package io.tokenvault.domain.audit.integrity;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The hash of a seal, over the seal before it and every entry that it seals, one after the other.
 */
public final class ChainLinkDigest {

  private static final byte[] LABEL = "token-vault log head v1".getBytes(StandardCharsets.US_ASCII);

  private final MessageDigest digest = sha256();

  /**
   * @param entries how many will be added
   */
  public ChainLinkDigest(ChainEnd previous, int entries) {
    digest.update(LABEL);
    digest.update(previous.head().bytes());
    ByteBuffer rest =
        ByteBuffer.allocate(3 * Long.BYTES + Integer.BYTES)
            .putLong(previous.tenantId().value().getMostSignificantBits())
            .putLong(previous.tenantId().value().getLeastSignificantBits())
            .putLong(previous.number() + 1)
            .putInt(entries);
    digest.update(rest.flip());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  public ChainLinkDigest add(StoredEntry entry) {
    byte[] row = LogEncoding.row(entry);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(row.length).flip());
    digest.update(row);
    return this;
  }

  /** Ends it. */
  public LogHash head() {
    return new LogHash(digest.digest());
  }
}
