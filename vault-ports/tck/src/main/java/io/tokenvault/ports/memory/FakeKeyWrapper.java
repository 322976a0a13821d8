package io.tokenvault.ports.memory;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.KeyWrapper;
import io.tokenvault.ports.crypto.WrappedKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/** A key wrapper for tests that passes the contract suite but keeps nothing secret. */
public final class FakeKeyWrapper implements KeyWrapper {

  private static final int KEY_BYTES = 16;
  private static final int HEADER_BYTES = Integer.BYTES + KEY_BYTES;

  private final int masterKeyId;

  public FakeKeyWrapper() {
    this(1);
  }

  /**
   * @param masterKeyId the id of the primary master key; keys under other master keys unwrap, too
   */
  public FakeKeyWrapper(int masterKeyId) {
    this.masterKeyId = masterKeyId;
  }

  @Override
  public WrappedKey create(TenantId tenantId, KeyPurpose purpose, int version) {
    return wrap(tenantId, purpose, version, random());
  }

  @Override
  public WrappedKey rewrap(TenantId tenantId, WrappedKey key) {
    return wrap(tenantId, key.purpose(), key.version(), unwrap(tenantId, key));
  }

  @Override
  public int masterKeyId(WrappedKey key) {
    return ByteBuffer.wrap(key.wrapped()).getInt();
  }

  private WrappedKey wrap(TenantId tenantId, KeyPurpose purpose, int version, byte[] key) {
    byte[] header = ByteBuffer.allocate(HEADER_BYTES).putInt(masterKeyId).put(key).array();
    byte[] tag = tag(tenantId, purpose, version, header);
    byte[] wrapped = ByteBuffer.allocate(HEADER_BYTES + tag.length).put(header).put(tag).array();
    return new WrappedKey(purpose, version, wrapped);
  }

  static byte[] unwrap(TenantId tenantId, WrappedKey key) {
    byte[] wrapped = key.wrapped();
    byte[] header = Arrays.copyOf(wrapped, HEADER_BYTES);
    byte[] tag = tag(tenantId, key.purpose(), key.version(), header);
    if (wrapped.length != HEADER_BYTES + tag.length
        || !Arrays.equals(tag, Arrays.copyOfRange(wrapped, HEADER_BYTES, wrapped.length))) {
      throw new IllegalStateException("the key cannot be unwrapped");
    }
    return Arrays.copyOfRange(header, Integer.BYTES, HEADER_BYTES);
  }

  private static byte[] tag(TenantId tenantId, KeyPurpose purpose, int version, byte[] header) {
    String context = String.join("\0", tenantId.toString(), purpose.value(), "" + version);
    return FakeFieldCipher.digest(context.getBytes(StandardCharsets.UTF_8), header);
  }

  static byte[] random() {
    UUID id = UUID.randomUUID();
    return ByteBuffer.allocate(KEY_BYTES)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }
}
