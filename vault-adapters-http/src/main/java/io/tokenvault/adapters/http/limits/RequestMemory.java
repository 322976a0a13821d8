package io.tokenvault.adapters.http.limits;

import io.javalin.http.Context;
import io.tokenvault.ports.usecase.memory.MemoryBudget;
import io.tokenvault.ports.usecase.memory.MemoryBudget.Share;

/** What each request takes of the memory for all, from its body to the end of its answer. */
public final class RequestMemory {

  private static final String SHARE = RequestMemory.class.getName();

  private final MemoryBudget memory;

  public RequestMemory(MemoryBudget memory) {
    this.memory = memory;
  }

  /** The same at each call for one request. */
  public Share of(Context context) {
    Share known = context.attribute(SHARE);
    if (known != null) {
      return known;
    }
    Share share = memory.open();
    context.attribute(SHARE, share);
    return share;
  }

  /** To be called when the request is answered. */
  public static void end(Context context) {
    Share share = context.attribute(SHARE);
    if (share != null) {
      share.close();
    }
  }
}
