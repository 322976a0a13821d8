package io.tokenvault.ports.usecase.key;

import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.KeyWrapper;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.WrappedKey;
import io.tokenvault.ports.store.EncryptedFields;
import io.tokenvault.ports.store.KeyStore;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Manages the keys of tenants for the operator. Audit entries name the system as their actor.
 *
 * <p>After a new master key was promoted by {@link KeysetGuard}, the tenants' keys are wrapped with
 * it here.
 */
public final class ManageTenantKeys {

  private static final int FIRST_VERSION = 1;

  private final KeyStore keys;
  private final EncryptedFields fields;
  private final KeyWrapper wrapper;
  private final AuditTrail trail;

  public ManageTenantKeys(
      KeyStore keys, EncryptedFields fields, KeyWrapper wrapper, AuditRecorder recorder) {
    this.keys = keys;
    this.fields = fields;
    this.wrapper = wrapper;
    this.trail = new AuditTrail(recorder);
  }

  /**
   * Rotates the keys of every tenant that has keys; existing data stays readable.
   *
   * @return the number of tenants with new keys
   */
  public int rotateAll() {
    return (int)
        keys.list().stream().filter(tenant -> rotate(tenant.tenantId()) == Outcome.DONE).count();
  }

  /** Adds a key for each purpose to a tenant; new values are protected by them from now on. */
  public Outcome rotate(TenantId id) {
    return OptimisticExecutor.repeatWhileOutdated(() -> tryRotate(id));
  }

  private Optional<Outcome> tryRotate(TenantId id) {
    Optional<TenantKeys> found = keys.find(id);
    if (found.isEmpty()) {
      return Optional.of(Outcome.NO_TENANT);
    }
    if (found.get().areDestroyed()) {
      return Optional.of(Outcome.NO_KEYS);
    }
    List<WrappedKey> next =
        Arrays.stream(KeyPurpose.values())
            .map(purpose -> wrapper.create(id, purpose, nextVersion(found.get(), purpose)))
            .toList();
    return keys.add(id, next, AuditTrail.systemEntry(id, Operation.UPDATE, "Keys rotated"))
        ? Optional.of(Outcome.DONE)
        : Optional.empty();
  }

  private static int nextVersion(TenantKeys tenant, KeyPurpose purpose) {
    return tenant.versions(purpose).stream()
        .findFirst()
        .map(current -> current.version() + 1)
        .orElse(FIRST_VERSION);
  }

  /** Adds missing keys to tenants that were created before a purpose was introduced. */
  public void ensureAllPurposes() {
    for (TenantKeys tenant : keys.list()) {
      List<WrappedKey> missing = missing(tenant);
      if (!tenant.areDestroyed() && !missing.isEmpty()) {
        TenantId id = tenant.tenantId();
        // If the keys exist by now, another node was faster.
        boolean unused =
            keys.add(id, missing, AuditTrail.systemEntry(id, Operation.UPDATE, "Keys added"));
      }
    }
  }

  private List<WrappedKey> missing(TenantKeys tenant) {
    return Arrays.stream(KeyPurpose.values())
        .filter(purpose -> tenant.versions(purpose).isEmpty())
        .map(purpose -> wrapper.create(tenant.tenantId(), purpose, FIRST_VERSION))
        .toList();
  }

  /** Permanently destroys all keys of a tenant, so that its data can never be decrypted again. */
  public Outcome shred(TenantId id) {
    Optional<TenantKeys> found = keys.find(id);
    if (found.isEmpty()) {
      return Outcome.NO_TENANT;
    }
    return keys.destroy(id, AuditTrail.systemEntry(id, Operation.DELETE, "Tenant keys destroyed"))
        ? Outcome.DONE
        : Outcome.NO_KEYS;
  }

  /**
   * Wraps the keys of all tenants under the primary master key, unless they are already.
   *
   * @return the number of rewrapped keys
   * @throws IllegalStateException if a key cannot be unwrapped
   */
  public int rewrapAll() {
    return keys.list().stream().mapToInt(this::rewrap).sum();
  }

  private int rewrap(TenantKeys tenant) {
    TenantId id = tenant.tenantId();
    Map<WrappedKey, WrappedKey> rewrapped =
        tenant.keys().stream()
            .collect(Collectors.toMap(key -> key, key -> wrapper.rewrap(id, key)));
    rewrapped
        .entrySet()
        .removeIf(
            pair -> wrapper.masterKeyId(pair.getKey()) == wrapper.masterKeyId(pair.getValue()));
    if (rewrapped.isEmpty()) {
      return 0;
    }
    trail.record(
        AuditTrail.systemEntry(id, Operation.UPDATE, "Keys wrapped under another master key"));
    return (int)
        rewrapped.entrySet().stream()
            .filter(pair -> keys.replace(id, pair.getKey(), pair.getValue()))
            .count();
  }

  /** Returns the state of all tenants' keys, recorded in the log of each. */
  public List<TenantStatus> tenants() {
    return keys.list().stream().map(this::status).toList();
  }

  private TenantStatus status(TenantKeys tenant) {
    TenantId id = tenant.tenantId();
    TenantStatus status =
        new TenantStatus(id, versions(tenant), fields.countByVersion(id), masterKeys(tenant));
    trail.record(AuditTrail.systemEntry(id, Operation.READ, "Key status read"));
    return status;
  }

  private static Map<KeyPurpose, List<Integer>> versions(TenantKeys tenant) {
    Map<KeyPurpose, List<Integer>> versions = new EnumMap<>(KeyPurpose.class);
    for (KeyPurpose purpose : KeyPurpose.values()) {
      versions.put(purpose, tenant.versions(purpose).stream().map(WrappedKey::version).toList());
    }
    return versions;
  }

  private Set<Integer> masterKeys(TenantKeys tenant) {
    return tenant.keys().stream().map(wrapper::masterKeyId).collect(Collectors.toSet());
  }

  /** The outcome of a command about one tenant. */
  public enum Outcome {
    DONE,
    NO_TENANT,
    /** The tenant's keys were destroyed before. */
    NO_KEYS
  }

  /**
   * The state of a tenant's keys.
   *
   * @param versions of each purpose, the current one first; empty if the keys were destroyed
   * @param fields the number of fields encrypted under each version of the data key
   * @param masterKeys the ids of the master keys that its keys are wrapped under
   */
  public record TenantStatus(
      TenantId tenantId,
      Map<KeyPurpose, List<Integer>> versions,
      Map<Integer, Long> fields,
      Set<Integer> masterKeys) {

    public TenantStatus {
      versions = Map.copyOf(versions);
      fields = Map.copyOf(fields);
      masterKeys = Set.copyOf(masterKeys);
    }

    public boolean isShredded() {
      return versions.values().stream().allMatch(List::isEmpty);
    }
  }
}
