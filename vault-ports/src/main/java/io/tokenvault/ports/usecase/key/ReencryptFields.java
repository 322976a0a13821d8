package io.tokenvault.ports.usecase.key;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.FieldBinding;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.store.EncryptedFields;
import io.tokenvault.ports.store.EncryptedFields.StoredField;
import io.tokenvault.ports.store.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Re-encrypts fields under the current data keys in small, independent steps.
 *
 * <p>A run can end at any point and resume from there. Any number of nodes may run it concurrently;
 * a field that a request has changed meanwhile is left alone. A field that cannot be decrypted is
 * skipped, and retried after all others.
 */
public final class ReencryptFields {

  private static final int BATCH = 200;
  private static final int BATCHES = 20;

  private final KeyStore keys;
  private final EncryptedFields fields;
  private final FieldCipher cipher;
  private final Map<TenantId, FieldBinding> reached = new ConcurrentHashMap<>();

  public ReencryptFields(KeyStore keys, EncryptedFields fields, FieldCipher cipher) {
    this.keys = keys;
    this.fields = fields;
    this.cipher = cipher;
  }

  /** Re-encrypts some fields of each tenant, at most 20 batches of 200, and returns. */
  public Progress run() {
    Progress progress = Progress.NONE;
    for (TenantKeys tenant : keys.list()) {
      if (tenant.versions(KeyPurpose.DATA).size() > 1) {
        progress = progress.plus(reencrypt(tenant));
      }
    }
    return progress;
  }

  private Progress reencrypt(TenantKeys tenant) {
    Progress total = Progress.NONE;
    for (int i = 0; i < BATCHES; i++) {
      List<StoredField> stale = stale(tenant);
      total = total.plus(reencrypt(tenant, stale));
      if (stale.size() < BATCH) {
        reached.remove(tenant.tenantId());
        break;
      }
      reached.put(tenant.tenantId(), stale.get(BATCH - 1).field());
    }
    return total;
  }

  private List<StoredField> stale(TenantKeys tenant) {
    TenantId id = tenant.tenantId();
    return fields.stale(
        id, tenant.current(KeyPurpose.DATA).version(), Optional.ofNullable(reached.get(id)), BATCH);
  }

  private Progress reencrypt(TenantKeys tenant, List<StoredField> stale) {
    int done = 0;
    int failed = 0;
    for (StoredField stored : stale) {
      try {
        if (fields.replace(stored, cipher.reencrypt(tenant, stored.field(), stored.encrypted()))) {
          done++;
        }
      } catch (IllegalStateException unreadable) {
        failed++; // Continue with the others; the key status still counts this field.
      }
    }
    return new Progress(done, failed);
  }

  /**
   * The result of a run.
   *
   * @param done the number of fields now under the current key
   * @param failed the number of fields that could not be decrypted
   */
  public record Progress(int done, int failed) {

    static final Progress NONE = new Progress(0, 0);

    Progress plus(Progress more) {
      return new Progress(done + more.done, failed + more.failed);
    }
  }
}
