package io.tokenvault.domain.audit.integrity;

import io.tokenvault.domain.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * Computes the SHA-256 hash of a chain link over the previous head and every entry of the link, in
 * their order.
 *
 * <p>Usage: {@code new ChainLinkDigest(previous, n)}, then {@code add} for each of the n entries,
 * then {@code head()} once.
 */
public final class ChainLinkDigest {

  private static final byte[] LABEL = "token-vault log head v1".getBytes(StandardCharsets.US_ASCII);

  private final MessageDigest digest = Sha256.digest();

  /**
   * Begins a digest.
   *
   * @param previous the end of the chain before the link
   * @param entries the number of entries that will be added
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

  /** Adds the next entry of the link. */
  public ChainLinkDigest add(StoredEntry entry) {
    byte[] row = LogEncoding.row(entry);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(row.length).flip());
    digest.update(row);
    return this;
  }

  /** Completes the digest and returns the head; call it once. */
  public LogHash head() {
    return new LogHash(digest.digest());
  }
}
