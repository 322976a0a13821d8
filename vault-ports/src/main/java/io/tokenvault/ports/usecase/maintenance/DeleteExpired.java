package io.tokenvault.ports.usecase.maintenance;

import io.tokenvault.ports.store.ApplicationStore;
import io.tokenvault.ports.store.RequestJournal;
import io.tokenvault.ports.store.TokenStore;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import java.util.function.IntUnaryOperator;

/**
 * Deletes expired rows, which are invisible from their expiry on. Any number of nodes may run it
 * concurrently.
 */
public final class DeleteExpired {

  private static final int BATCH = 500;

  private final ApplicationStore applications;
  private final TokenStore tokens;
  private final RequestJournal requests;

  public DeleteExpired(ApplicationStore applications, TokenStore tokens, RequestJournal requests) {
    this.applications = applications;
    this.tokens = tokens;
    this.requests = requests;
  }

  /**
   * Deletes all expired applications, keys, tokens, parts of tokens, requests and responses.
   *
   * @return the number of deleted rows
   */
  public int run() {
    return untilNoneIsLeft(limit -> applications.deleteExpired(limit, AuditTrail::expiry))
        + untilNoneIsLeft(applications::deleteEndedKeys)
        + untilNoneIsLeft(limit -> tokens.deleteExpired(limit, AuditTrail::expiry))
        + untilNoneIsLeft(tokens::deleteExpiredParts)
        + untilNoneIsLeft(requests::deleteExpired)
        + untilNoneIsLeft(requests::deleteExpiredResponses);
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
