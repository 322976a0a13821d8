package io.tokenvault.ports.usecase;

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

  /** Returns how many applications, tokens and parts of tokens were deleted. */
  public int run() {
    return untilNoneIsLeft(limit -> applications.deleteExpired(limit, AuditTrail::expiry))
        + untilNoneIsLeft(limit -> tokens.deleteExpired(limit, AuditTrail::expiry))
        + untilNoneIsLeft(tokens::deleteExpiredParts);
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
}
