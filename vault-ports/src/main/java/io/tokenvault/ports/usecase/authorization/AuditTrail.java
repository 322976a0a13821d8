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
import java.util.Optional;

/** Records audit entries for operations whose store change does not include them. */
public final class AuditTrail {

  private final AuditRecorder recorder;

  public AuditTrail(AuditRecorder recorder) {
    this.recorder = recorder;
  }

  /** Returns an entry with the trace id of the request that this thread serves. */
  public static AuditEntry entry(
      TenantId tenantId,
      Actor actor,
      EntityType type,
      Object id,
      Operation operation,
      String message) {
    return new AuditEntry(
        tenantId, actor, type, id.toString(), operation, message, CurrentTrace.id());
  }

  /** Returns an entry about an operation of a caller. */
  public static AuditEntry entry(
      Caller caller, EntityType type, Object id, Operation operation, String message) {
    return entry(caller.tenantId(), caller.actor(), type, id, operation, message);
  }

  /** Returns an entry about an operation of a command or of the server itself. */
  public static AuditEntry systemEntry(
      TenantId tenantId, EntityType type, Object id, Operation operation, String message) {
    return entry(tenantId, Actor.system(), type, id, operation, message);
  }

  /** Returns an entry about an operation of a command or of the server itself on a tenant. */
  public static AuditEntry systemEntry(TenantId tenantId, Operation operation, String message) {
    return systemEntry(tenantId, EntityType.TENANT, tenantId, operation, message);
  }

  /** Returns an entry about a list or search of entities of one type. */
  public static AuditEntry searchEntry(
      TenantId tenantId, Actor actor, EntityType type, String message) {
    return entry(tenantId, actor, type, AuditEntry.ALL_ENTITIES, Operation.SEARCH, message);
  }

  /** Returns an entry about an operation of a command or of the server itself on a log. */
  public static AuditEntry logEntry(TenantId tenantId, Operation operation, String message) {
    return systemEntry(tenantId, EntityType.LOG, AuditEntry.ALL_ENTITIES, operation, message);
  }

  /** Returns an entry about an expired application. */
  public static AuditEntry expiry(Application application) {
    return systemEntry(
        application.tenantId(),
        EntityType.APPLICATION,
        application.id(),
        Operation.DELETE,
        "Application expired");
  }

  /** Returns an entry about an expired token. */
  public static AuditEntry expiry(Token token) {
    return systemEntry(
        token.tenantId(),
        EntityType.of(token.type()),
        token.id(),
        Operation.DELETE,
        "Token expired");
  }

  /** Records an entry unconditionally and returns when it is durable. */
  public void record(AuditEntry entry) {
    record(List.of(entry));
  }

  /** Records entries unconditionally and returns when they are durable. */
  public void record(List<AuditEntry> entries) {
    Preconditions unconditional = Preconditions.none(entries.get(0).tenantId());
    if (recorder.record(entries, unconditional) != Outcome.RECORDED) {
      throw new IllegalStateException("an unconditional entry was refused as stale");
    }
  }

  /**
   * Records an entry on a best-effort basis without waiting; false if too many are queued already.
   */
  public boolean recordSoon(AuditEntry entry) {
    return recorder.recordSoon(List.of(entry));
  }

  /**
   * Records entries on condition of the versions; false if a precondition no longer holds and
   * nothing was recorded.
   */
  public boolean record(List<AuditEntry> entries, Preconditions versions) {
    return recorder.record(entries, versions) == Outcome.RECORDED;
  }

  /**
   * Records the refusal of an operation.
   *
   * @throws RefusedException if the caller may be outdated: then nothing is recorded, and the
   *     decision must be repeated
   */
  public void recordDenied(Caller caller, List<AuditEntry> entries) {
    if (caller.isProvisional()) {
      throw OptimisticExecutor.outdated();
    }
    record(entries);
  }

  /**
   * Records a refusal and returns the exception to throw.
   *
   * @param what the refused operation for the log, such as {@code "Token read"}
   * @param detail the message for the caller
   */
  public RefusedException recordRefusal(
      Caller caller, EntityType type, Object id, Operation operation, String what, String detail) {
    recordDenied(caller, List.of(entry(caller, type, id, operation, what + " denied")));
    return new RefusedException(FailureCause.PERMISSION_DENIED, detail);
  }

  /**
   * Checks that a caller meets a requirement, and records the refusal otherwise.
   *
   * @throws RefusedException if the caller does not meet it
   */
  public void require(Caller caller, Requirement requirement) {
    if (!requirement.isMetBy(caller)) {
      String message = AuditEntry.DENIED + "missing permission " + requirement.description();
      recordDenied(
          caller,
          List.of(
              entry(
                  caller, EntityType.APPLICATION, caller.id(), requirement.operation(), message)));
      throw new RefusedException(
          FailureCause.PERMISSION_DENIED,
          "The API key lacks the permission " + requirement.description() + ".");
    }
  }

  /**
   * The trace id of the request that the current thread serves, which entries get.
   *
   * <p>Whoever receives a request sets it, and clears it when the thread is done; a thread that
   * works for another one's request takes it over.
   */
  public static final class CurrentTrace {

    private static final ThreadLocal<Optional<String>> ID =
        ThreadLocal.withInitial(Optional::empty);

    private CurrentTrace() {}

    /** Returns the trace id; empty if the thread serves no request. */
    public static Optional<String> id() {
      return ID.get();
    }

    /**
     * Sets the trace id of this thread.
     *
     * @param id at most {@link AuditEntry#MAX_TRACE_ID_LENGTH} printable characters; empty if the
     *     request has none
     */
    public static void set(Optional<String> id) {
      ID.set(id);
    }

    /** Removes the trace id of this thread. */
    public static void clear() {
      ID.remove();
    }
  }
}
