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
 * What a ciphertext is bound to, as bytes: the format's version, what is encrypted, the tenant, and
 * the rest, each text in UTF-8 behind its length. No two places have the same bytes.
 *
 * <p>What is stored depends on every byte of this: a change needs a new version, beside the old.
 */
final class AssociatedData {

  private static final int FORMAT = 1;
  private static final int DATA_KEY = 1;
  private static final int FIELD = 2;
  private static final int FINGERPRINT_KEY = 3;
  private static final int SEARCH_INDEX_KEY = 4;

  private AssociatedData() {}

  static byte[] ofKey(TenantId tenantId, KeyPurpose purpose, int version) {
    return encode(
        out -> {
          begin(kind(purpose), tenantId, out);
          out.writeInt(version);
        });
  }

  private static int kind(KeyPurpose purpose) {
    return switch (purpose) {
      case DATA -> DATA_KEY;
      case FINGERPRINT -> FINGERPRINT_KEY;
      case SEARCH_INDEX -> SEARCH_INDEX_KEY;
    };
  }

  /**
   * @throws IllegalArgumentException if a part of the field's name has no UTF-8 form
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

  private static void begin(int kind, TenantId tenantId, DataOutputStream out) throws IOException {
    out.writeByte(FORMAT);
    out.writeByte(kind);
    out.writeLong(tenantId.value().getMostSignificantBits());
    out.writeLong(tenantId.value().getLeastSignificantBits());
  }

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

  /** Writes itself. */
  private interface Content {
    void writeTo(DataOutputStream out) throws IOException;
  }
}
