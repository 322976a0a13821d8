package io.tokenvault.ports.usecase.key;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.FieldBinding;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.store.EncryptedFields;
import io.tokenvault.ports.store.KeyStore;
import io.tokenvault.ports.store.model.StoredField;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Brings what is encrypted under older data keys under the current ones, in small steps that stand
 * by themselves: it may end at any point and go on from there. Any number of nodes may do it at the
 * same time; what a request has changed meanwhile stays as it is. What does not open is passed by,
 * and tried again when all others had their turn.
 */
public final class ReencryptFields {

  private static final int BATCH = 200;
  private static final int BATCHES = 20;

  private final KeyStore keys;
  private final EncryptedFields fields;
  private final FieldCipher sealer;
  private final Map<TenantId, FieldBinding> reached = new ConcurrentHashMap<>();

  public ReencryptFields(KeyStore keys, EncryptedFields fields, FieldCipher sealer) {
    this.keys = keys;
    this.fields = fields;
    this.sealer = sealer;
  }

  /** Does a part of what there is to do for each tenant, small enough to wait for. */
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
        if (fields.replace(stored, sealer.reseal(tenant, stored.field(), stored.sealed()))) {
          done++;
        }
      } catch (IllegalStateException unreadable) {
        failed++; // The others have to go on; keys status shows that it is still there.
      }
    }
    return new Progress(done, failed);
  }

  /**
   * How far it came.
   *
   * @param done fields that are under the current key now
   * @param failed attempts on fields that do not open
   */
  public record Progress(int done, int failed) {

    static final Progress NONE = new Progress(0, 0);

    Progress plus(Progress more) {
      return new Progress(done + more.done, failed + more.failed);
    }
  }
}
