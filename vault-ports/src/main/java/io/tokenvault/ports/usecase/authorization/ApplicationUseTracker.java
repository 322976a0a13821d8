package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.store.ApplicationStore;
import io.tokenvault.ports.store.model.ApplicationUse;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tracks the last use of applications on this node, to the minute, and stores it in batches. It is
 * best effort: it neither delays nor fails a request, and uses that were not stored before a crash
 * are lost. Thread-safe.
 */
public final class ApplicationUseTracker {

  /** The maximum number of tracked applications; others are skipped until the next write. */
  private static final int MOST = 100_000;

  private static final int BATCH = 1000;

  private final ApplicationStore applications;
  private final Map<Used, Instant> unwritten = new ConcurrentHashMap<>();

  public ApplicationUseTracker(ApplicationStore applications) {
    this.applications = applications;
  }

  /**
   * Tracks a use.
   *
   * @param now by the store's clock
   */
  public void note(Application application, Instant now) {
    Used used = new Used(application.tenantId(), application.id());
    Instant minute = now.truncatedTo(ChronoUnit.MINUTES);
    Instant known = unwritten.get(used);
    boolean isNews = known == null ? unwritten.size() < MOST : known.isBefore(minute);
    if (isNews) {
      unwritten.merge(used, minute, (one, other) -> one.isAfter(other) ? one : other);
    }
  }

  /** Stores all tracked uses; those that cannot be stored are kept for the next call. */
  public void writeDown() {
    List<ApplicationUse> uses = new ArrayList<>();
    unwritten.forEach((used, at) -> uses.add(new ApplicationUse(used.tenantId(), used.id(), at)));
    for (int from = 0; from < uses.size(); from += BATCH) {
      List<ApplicationUse> some = uses.subList(from, Math.min(uses.size(), from + BATCH));
      applications.noteUses(some);
      some.forEach(use -> unwritten.remove(new Used(use.tenantId(), use.id()), use.at()));
    }
  }

  private record Used(TenantId tenantId, ApplicationId id) {}
}
