package io.tokenvault.ports.usecase.key;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.KeyWrapper;
import io.tokenvault.ports.crypto.KeysetNode;
import io.tokenvault.ports.crypto.KeysetRegistry;
import io.tokenvault.ports.crypto.MasterKeys;
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

/** What an operator does to the keys of tenants, recorded as done by the system. */
public final class ManageKeys {

  private static final int FIRST_VERSION = 1;

  private final KeyStore keys;
  private final EncryptedFields fields;
  private final KeysetRegistry registry;
  private final KeyWrapper wrapper;
  private final AuditTrail trail;

  public ManageKeys(
      KeyStore keys,
      EncryptedFields fields,
      KeysetRegistry registry,
      KeyWrapper wrapper,
      AuditRecorder recorder) {
    this.keys = keys;
    this.fields = fields;
    this.registry = registry;
    this.wrapper = wrapper;
    this.trail = new AuditTrail(recorder);
  }

  /**
   * Gives every tenant that has keys new ones; what there is stays readable.
   *
   * @return how many tenants got some
   */
  public int rotateAll() {
    return (int)
        keys.list().stream().filter(tenant -> rotate(tenant.tenantId()) == Outcome.DONE).count();
  }

  /** Gives a tenant a new key of each purpose, used for what is new from now on. */
  public Outcome rotate(TenantId id) {
    return OptimisticExecutor.untilDecidedOnWhatHolds(() -> tryRotate(id));
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
    return keys.add(id, next, entry(id, Operation.UPDATE, "Keys rotated"))
        ? Optional.of(Outcome.DONE)
        : Optional.empty();
  }

  private static int nextVersion(TenantKeys tenant, KeyPurpose purpose) {
    return tenant.versions(purpose).stream()
        .findFirst()
        .map(current -> current.version() + 1)
        .orElse(FIRST_VERSION);
  }

  /** Gives tenants from before a purpose was known the keys for it. */
  public void ensureAllPurposes() {
    for (TenantKeys tenant : keys.list()) {
      List<WrappedKey> missing = missing(tenant);
      if (!tenant.areDestroyed() && !missing.isEmpty()) {
        TenantId id = tenant.tenantId();
        // If they are there by now, another node was faster.
        boolean unused = keys.add(id, missing, entry(id, Operation.UPDATE, "Keys added"));
      }
    }
  }

  private List<WrappedKey> missing(TenantKeys tenant) {
    return Arrays.stream(KeyPurpose.values())
        .filter(purpose -> tenant.versions(purpose).isEmpty())
        .map(purpose -> wrapper.create(tenant.tenantId(), purpose, FIRST_VERSION))
        .toList();
  }

  /** Destroys all keys of a tenant: nothing of it can be read again, by anybody. */
  public Outcome shred(TenantId id) {
    Optional<TenantKeys> found = keys.find(id);
    if (found.isEmpty()) {
      return Outcome.NO_TENANT;
    }
    return keys.destroy(id, entry(id, Operation.DELETE, "Tenant keys destroyed"))
        ? Outcome.DONE
        : Outcome.NO_KEYS;
  }

  /**
   * Brings new master keys into use, recorded in the log of every tenant.
   *
   * @param promoted a keyset that has them as its primary keys
   * @throws KeysetGuard.WrongKeysetException as {@link KeysetGuard#promote}
   * @throws KeysetGuard.NodesLackKeyException as {@link KeysetGuard#promote}
   */
  public void promote(MasterKeys promoted) {
    new KeysetGuard(registry).promote(promoted);
  }

  /**
   * Wraps every tenant's keys under the primary master key, where they are not.
   *
   * @return how many keys were
   * @throws IllegalStateException if one does not unwrap
   */
  public int rewrapAll() {
    return keys.list().stream().mapToInt(this::rewrap).sum();
  }

  private int rewrap(TenantKeys tenant) {
    TenantId id = tenant.tenantId();
    Map<WrappedKey, WrappedKey> rewrapped =
        tenant.keys().stream()
            .collect(Collectors.toMap(key -> key, key -> wrapper.rewrap(id, key)));
    rewrapped.entrySet().removeIf(pair -> isUnderTheSame(pair.getKey(), pair.getValue()));
    if (rewrapped.isEmpty()) {
      return 0;
    }
    trail.record(List.of(entry(id, Operation.UPDATE, "Keys wrapped under another master key")));
    return (int)
        rewrapped.entrySet().stream()
            .filter(pair -> keys.replace(id, pair.getKey(), pair.getValue()))
            .count();
  }

  private boolean isUnderTheSame(WrappedKey some, WrappedKey other) {
    return wrapper.masterKeyId(some) == wrapper.masterKeyId(other);
  }

  /** The keys of all tenants, and what is encrypted under them; recorded in the log of each. */
  public List<TenantStatus> tenants() {
    return keys.list().stream().map(this::status).toList();
  }

  private TenantStatus status(TenantKeys tenant) {
    TenantId id = tenant.tenantId();
    TenantStatus status =
        new TenantStatus(id, versions(tenant), fields.countByVersion(id), masterKeys(tenant));
    trail.record(List.of(entry(id, Operation.READ, "Key status read")));
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

  /** The nodes that serve now, and the master keys that each holds. */
  public List<KeysetNode> nodes() {
    return registry.liveNodes();
  }

  private static AuditEntry entry(TenantId id, Operation operation, String message) {
    return AuditTrail.systemEntry(id, EntityType.TENANT, id, operation, message);
  }

  /** What became of a command about one tenant. */
  public enum Outcome {
    DONE,
    NO_TENANT,
    /** They were destroyed before. */
    NO_KEYS
  }

  /**
   * The state of a tenant's keys.
   *
   * @param versions of each purpose, the current one first; none: they were destroyed
   * @param fields how many are encrypted under each version of the data key
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
