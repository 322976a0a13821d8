package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.audit.Actor;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.audit.AuditRecorder.Outcome;
import io.tokenvault.ports.store.Preconditions;
import java.util.List;

/** Makes entries durable where no change of the store carries them. */
public final class AuditTrail {

  private final AuditRecorder recorder;

  public AuditTrail(AuditRecorder recorder) {
    this.recorder = recorder;
  }

  /** An entry about something that a caller did. */
  public static AuditEntry entry(
      Caller caller, EntityType type, Object id, Operation operation, String message) {
    return new AuditEntry(
        caller.tenantId(), caller.actor(), type, id.toString(), operation, message);
  }

  /** An entry about something that a command or the server itself did. */
  public static AuditEntry systemEntry(
      TenantId tenantId, EntityType type, Object id, Operation operation, String message) {
    return new AuditEntry(tenantId, Actor.system(), type, id.toString(), operation, message);
  }

  /** An entry about an application whose time has come. */
  public static AuditEntry expiry(Application application) {
    return systemEntry(
        application.tenantId(),
        EntityType.APPLICATION,
        application.id(),
        Operation.DELETE,
        "Application expired");
  }

  /** An entry about a token whose time has come. */
  public static AuditEntry expiry(Token token) {
    return systemEntry(
        token.tenantId(),
        EntityType.of(token.type()),
        token.id(),
        Operation.DELETE,
        "Token expired");
  }

  /** Returns when the entries are durable. */
  public void record(List<AuditEntry> entries) {
    Preconditions unconditional = Preconditions.none(entries.get(0).tenantId());
    if (recorder.record(entries, unconditional) != Outcome.RECORDED) {
      throw new IllegalStateException("an unconditional entry was refused as stale");
    }
  }

  /** Best effort, without waiting; false if too many wait already. */
  public boolean recordSoon(AuditEntry entry) {
    return recorder.recordSoon(List.of(entry));
  }

  /** Returns whether the entries are durable; false if what was decided on has changed. */
  public boolean record(List<AuditEntry> entries, Preconditions versions) {
    return recorder.record(entries, versions) == Outcome.RECORDED;
  }

  /**
   * Records what a caller is denied.
   *
   * @throws RefusedException if the caller may be outdated: then nothing is recorded, and it has to
   *     be decided again
   */
  public void recordDenied(Caller caller, List<AuditEntry> entries) {
    if (caller.standing().isProvisional()) {
      throw OptimisticExecutor.outdated();
    }
    record(entries);
  }

  /**
   * Records a refusal and gives the failure to throw.
   *
   * @param what what was refused, for the log, such as {@code "Token read"}
   * @param detail what the caller is told
   */
  public RefusedException refusal(
      Caller caller, EntityType type, Object id, Operation operation, String what, String detail) {
    recordDenied(caller, List.of(entry(caller, type, id, operation, what + " denied")));
    return new RefusedException(FailureCause.PERMISSION_DENIED, detail);
  }

  /** Passes only a caller that meets the requirement; records the others. */
  public void require(Caller caller, Requirement requirement) {
    if (!requirement.isMetBy(caller)) {
      throw refusal(
          caller,
          EntityType.APPLICATION,
          caller.id(),
          requirement.operation(),
          "Use of " + requirement.description(),
          "This needs " + requirement.description() + ", which the API key does not have.");
    }
  }
}
