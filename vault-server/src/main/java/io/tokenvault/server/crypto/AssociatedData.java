package io.tokenvault.server.crypto;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.FieldBinding;
import io.tokenvault.ports.crypto.KeyPurpose;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Encodes the associated data that binds a ciphertext to its place.
 *
 * <p>The bytes hold the version of this format, the kind of the ciphertext, the tenant and the
 * remaining parts; each text is UTF-8 after its length. Two different places never have identical
 * bytes, so a ciphertext that was moved does not decrypt.
 *
 * <p>Every stored ciphertext depends on every byte of this encoding. A change needs a new version
 * beside the old one.
 */
final class AssociatedData {

  private static final int FORMAT = 1;
  private static final int DATA_KEY = 1;
  private static final int FIELD = 2;
  private static final int FINGERPRINT_KEY = 3;
  private static final int SEARCH_INDEX_KEY = 4;

  private AssociatedData() {}

  /**
   * Returns the associated data of a tenant's wrapped key.
   *
   * @param version the version of the key, which increases with each rotation
   */
  static byte[] ofKey(TenantId tenantId, KeyPurpose purpose, int version) {
    return encode(
        out -> {
          begin(kind(purpose), tenantId, out);
          out.writeInt(version);
        });
  }

  /** Returns the byte that distinguishes keys of different purposes. Stored keys depend on it. */
  private static int kind(KeyPurpose purpose) {
    return switch (purpose) {
      case DATA -> DATA_KEY;
      case FINGERPRINT -> FINGERPRINT_KEY;
      case SEARCH_INDEX -> SEARCH_INDEX_KEY;
    };
  }

  /**
   * Returns the associated data of an encrypted field.
   *
   * @throws IllegalArgumentException if a part of the field's name cannot be encoded in UTF-8
   */
  static byte[] of(FieldBinding field) {
    return encode(
        out -> {
          begin(FIELD, field.tenantId(), out);
          writeText(field.kind(), out);
          writeText(field.recordId(), out);
          writeText(field.field(), out);
        });
  }

  /** Writes the common start: format version, kind and tenant, 18 bytes together. */
  private static void begin(int kind, TenantId tenantId, DataOutputStream out) throws IOException {
    out.writeByte(FORMAT);
    out.writeByte(kind);
    out.writeLong(tenantId.value().getMostSignificantBits());
    out.writeLong(tenantId.value().getLeastSignificantBits());
  }

  /** Writes a text as its length in bytes (32 bits, big-endian) and its UTF-8 form. */
  private static void writeText(String text, DataOutputStream out) throws IOException {
    ByteBuffer utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
    out.writeInt(utf8.remaining());
    out.write(utf8.array(), 0, utf8.remaining());
  }

  private static byte[] encode(Content content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      content.writeTo(new DataOutputStream(bytes));
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("a sealed field is named with a lone surrogate");
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    return bytes.toByteArray();
  }

  /** Writes the parts of the associated data to a stream. */
  private interface Content {
    void writeTo(DataOutputStream out) throws IOException;
  }
}
