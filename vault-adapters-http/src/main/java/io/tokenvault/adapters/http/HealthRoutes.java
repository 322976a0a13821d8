package io.tokenvault.adapters.http;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.spi.Readiness;

/** Whether the process lives, and whether it is to be given requests; neither needs a key. */
final class HealthRoutes {

  private final Readiness readiness;
  private final Departure departure;
  private final Renderer renderer;

  HealthRoutes(Readiness readiness, Departure departure, Renderer renderer) {
    this.readiness = readiness;
    this.departure = departure;
    this.renderer = renderer;
  }

  void addTo(Router router) {
    router.open("/healthz", () -> status("alive")).open("/readyz", this::ready);
  }

  private Answer ready() {
    if (departure.hasBegun()) {
      throw new EdgeException(EdgeFailure.STOPPING, "The vault is stopping.");
    }
    if (!readiness.isReady()) {
      throw new RefusedException(
          FailureCause.STORE_UNAVAILABLE, "The database is not ready; try again.");
    }
    return status("ready");
  }

  private Answer status(String status) {
    return Answer.ok(renderer.one(status, (text, members) -> members.put("status", text)));
  }
}
