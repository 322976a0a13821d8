package io.tokenvault.adapters.http.limits;

import io.javalin.http.Context;
import io.tokenvault.ports.usecase.memory.MemoryBudget;
import io.tokenvault.ports.usecase.memory.MemoryBudget.Share;

/**
 * Assigns each request its share of the memory budget that all requests have in common.
 *
 * <p>A share lives from the first reservation, before the body is read, until the response has been
 * sent.
 */
public final class RequestMemory {

  private static final String SHARE = RequestMemory.class.getName();

  private final MemoryBudget memory;

  /**
   * Creates the assignment.
   *
   * @param memory the budget of all requests together
   */
  public RequestMemory(MemoryBudget memory) {
    this.memory = memory;
  }

  /** Returns the share of a request. All calls for one request return the same share. */
  public Share of(Context context) {
    Share known = context.attribute(SHARE);
    if (known != null) {
      return known;
    }
    Share share = memory.open();
    context.attribute(SHARE, share);
    return share;
  }

  /**
   * Releases the share of a request, if it has one. Must be called when the response has been sent.
   */
  public static void end(Context context) {
    Share share = context.attribute(SHARE);
    if (share != null) {
      share.close();
    }
  }
}
