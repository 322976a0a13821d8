package io.tokenvault.ports.usecase.tenant;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.ApplicationDraft;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.ApplicationSettings;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.tenant.Tenant;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.crypto.KeyHasher;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.KeyWrapper;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.store.ApplicationStore;
import io.tokenvault.ports.store.TenantStore;
import io.tokenvault.ports.store.TenantStore.NewTenant;
import io.tokenvault.ports.store.model.NewApplication;
import io.tokenvault.ports.usecase.application.ManageApplications.IssuedApplication;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/** Manages tenants for the operator. Audit entries name the system as their actor. */
public final class ManageTenants {

  private static final int FIRST_KEY_VERSION = 1;
  private static final ResourceName MANAGEMENT_NAME = new ResourceName("Management");

  private final TenantStore tenants;
  private final ApplicationStore applications;
  private final KeyWrapper wrapper;
  private final KeyHasher hasher;
  private final AuditTrail trail;
  private final RandomGenerator randomness;

  /**
   * Creates the use case.
   *
   * @param randomness a cryptographically strong source, for keys
   */
  public ManageTenants(
      TenantStore tenants,
      ApplicationStore applications,
      KeyWrapper wrapper,
      KeyHasher hasher,
      AuditRecorder recorder,
      RandomGenerator randomness) {
    this.tenants = tenants;
    this.applications = applications;
    this.wrapper = wrapper;
    this.hasher = hasher;
    this.trail = new AuditTrail(recorder);
    this.randomness = randomness;
  }

  /**
   * Creates a tenant with a management application that holds every management permission.
   *
   * @return the ids, and the application's key, which is shown only once
   */
  public IssuedTenant create(ResourceName name) {
    IssuedTenant issued = issue();
    tenants.create(newTenant(issued, name), entries(issued));
    return issued;
  }

  /** Creates a tenant if there is none yet; empty if there is one. */
  public Optional<IssuedTenant> createFirst(ResourceName name) {
    IssuedTenant issued = issue();
    return tenants.createFirst(newTenant(issued, name), entries(issued))
        ? Optional.of(issued)
        : Optional.empty();
  }

  private IssuedTenant issue() {
    return new IssuedTenant(
        new TenantId(UUID.randomUUID()),
        new ApplicationId(UUID.randomUUID()),
        ApiKey.generate(randomness));
  }

  private NewTenant newTenant(IssuedTenant issued, ResourceName name) {
    AccessPolicy everything =
        new AccessPolicy(Permission.heldBy(ApplicationType.MANAGEMENT), List.of());
    NewApplication management =
        new NewApplication(
            issued.applicationId(),
            issued.tenantId(),
            new ApplicationDraft.Valid(
                ApplicationType.MANAGEMENT,
                new ApplicationSettings(MANAGEMENT_NAME, everything, Optional.empty()),
                Optional.empty(),
                Optional.empty()),
            Optional.empty(),
            hasher.hash(issued.key()));
    return new NewTenant(issued.tenantId(), name, keys(issued.tenantId()), management);
  }

  private TenantKeys keys(TenantId id) {
    return new TenantKeys(
        id,
        Arrays.stream(KeyPurpose.values())
            .map(purpose -> wrapper.create(id, purpose, FIRST_KEY_VERSION))
            .toList());
  }

  private static List<AuditEntry> entries(IssuedTenant issued) {
    return List.of(
        AuditTrail.systemEntry(issued.tenantId(), Operation.CREATE, "Tenant created"),
        AuditTrail.systemEntry(
            issued.tenantId(),
            EntityType.APPLICATION,
            issued.applicationId(),
            Operation.CREATE,
            "Application created"));
  }

  /** Returns all tenants, oldest first; recorded in the log of each. */
  public List<Tenant> list() {
    List<Tenant> found = tenants.list();
    found.forEach(tenant -> recordRead(tenant.id(), "Tenant listed"));
    return found;
  }

  private void recordRead(TenantId id, String message) {
    trail.record(AuditTrail.systemEntry(id, Operation.READ, message));
  }

  /** Returns a tenant with its egress policy and records that; empty if it does not exist. */
  public Optional<ShownTenant> show(TenantId id) {
    Optional<ShownTenant> found =
        tenants
            .find(id)
            .flatMap(tenant -> tenants.egress(id).map(egress -> new ShownTenant(tenant, egress)));
    found.ifPresent(unused -> recordRead(id, "Tenant retrieved"));
    return found;
  }

  /** Returns the egress policy of a tenant and records that; empty if the tenant does not exist. */
  public Optional<TenantEgress> egress(TenantId id) {
    Optional<TenantEgress> found = tenants.egress(id);
    found.ifPresent(unused -> recordRead(id, "Destinations of the tenant listed"));
    return found;
  }

  /**
   * Changes the egress policy of a tenant, with effect from the next request on.
   *
   * @param change maps the stored policy to the new one
   * @param message the message of the audit entry
   * @return the stored policy; empty if the tenant does not exist
   */
  public Optional<TenantEgress> changeEgress(
      TenantId id, UnaryOperator<TenantEgress> change, String message) {
    return tenants.changeEgress(id, change, AuditTrail.systemEntry(id, Operation.UPDATE, message));
  }

  /**
   * Deletes a tenant with all of its data except its audit log.
   *
   * @return whether the tenant existed
   */
  public boolean delete(TenantId id) {
    return tenants.delete(id, AuditTrail.systemEntry(id, Operation.DELETE, "Tenant deleted"));
  }

  /**
   * Replaces an application's key; all earlier keys expire immediately.
   *
   * @return empty if the application does not exist
   */
  public Optional<IssuedApplication> resetKey(TenantId tenantId, ApplicationId id) {
    ApiKey key = ApiKey.generate(randomness);
    AuditEntry entry =
        AuditTrail.systemEntry(
            tenantId,
            EntityType.APPLICATION,
            id,
            Operation.REGENERATE,
            "Application API key regenerated");
    return applications
        .replaceKey(tenantId, id, hasher.hash(key), Optional.empty(), entry)
        .map(application -> new IssuedApplication(application, key));
  }

  /** A tenant with its egress policy. */
  public record ShownTenant(Tenant tenant, TenantEgress egress) {}

  /** A newly created tenant with the key of its management application. */
  public record IssuedTenant(TenantId tenantId, ApplicationId applicationId, ApiKey key) {}
}
