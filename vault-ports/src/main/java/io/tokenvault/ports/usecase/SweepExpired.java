package io.tokenvault.ports.usecase;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.token.Token;
import io.tokenvault.ports.spi.ApplicationStore;
import io.tokenvault.ports.spi.TokenStore;
import java.util.function.IntUnaryOperator;

/**
 * Deletes what has expired. It is not found from its expiry on anyway; this removes the rows. Any
 * number of nodes may do it at the same time.
 */
public final class SweepExpired {

  private static final int BATCH = 500;

  private final ApplicationStore applications;
  private final TokenStore tokens;

  public SweepExpired(ApplicationStore applications, TokenStore tokens) {
    this.applications = applications;
    this.tokens = tokens;
  }

  /** Returns how many applications and tokens were deleted. */
  public int run() {
    return untilNoneIsLeft(limit -> applications.deleteExpired(limit, SweepExpired::entry))
        + untilNoneIsLeft(limit -> tokens.deleteExpired(limit, SweepExpired::entry));
  }

  private static int untilNoneIsLeft(IntUnaryOperator sweep) {
    int total = 0;
    int deleted;
    do {
      deleted = sweep.applyAsInt(BATCH);
      total += deleted;
    } while (deleted == BATCH);
    return total;
  }

  private static AuditEntry entry(Application application) {
    return AuditTrail.systemEntry(
        application.tenantId(),
        EntityType.APPLICATION,
        application.id(),
        Operation.DELETE,
        "Application expired");
  }

  private static AuditEntry entry(Token token) {
    return AuditTrail.systemEntry(
        token.tenantId(),
        EntityType.of(token.type()),
        token.id(),
        Operation.DELETE,
        "Token expired");
  }
}
