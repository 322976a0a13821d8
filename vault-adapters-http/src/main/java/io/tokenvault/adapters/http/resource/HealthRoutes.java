package io.tokenvault.adapters.http.resource;

import io.tokenvault.adapters.http.limits.DrainState;
import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.adapters.http.response.RejectedRequestException;
import io.tokenvault.adapters.http.response.RejectionCause;
import io.tokenvault.adapters.http.response.ResourceRenderer;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.store.Readiness;

/**
 * The health checks, which need no API key: {@code /healthz} reports that the process is alive, and
 * {@code /readyz} whether it should receive requests.
 */
public final class HealthRoutes {

  private final Readiness readiness;
  private final DrainState departure;
  private final ResourceRenderer renderer;

  /**
   * Creates the routes.
   *
   * @param readiness reports whether the database is ready
   * @param departure the server's drain state; a draining server is not ready
   * @param renderer renders responses
   */
  public HealthRoutes(Readiness readiness, DrainState departure, ResourceRenderer renderer) {
    this.readiness = readiness;
    this.departure = departure;
    this.renderer = renderer;
  }

  /** Adds the routes to a router. */
  public void addTo(Router router) {
    router.open("/healthz", () -> status("alive")).open("/readyz", this::ready);
  }

  /**
   * Returns status 200, or fails with status 503 while the server drains or the database is not
   * ready.
   */
  private ApiResponse ready() {
    if (departure.hasBegun()) {
      throw new RejectedRequestException(RejectionCause.STOPPING, "The vault is stopping.");
    }
    if (!readiness.isReady()) {
      throw new RefusedException(
          FailureCause.STORE_UNAVAILABLE, "The database is not ready; try again.");
    }
    return status("ready");
  }

  private ApiResponse status(String status) {
    return ApiResponse.ok(renderer.one(status, (text, members) -> members.put("status", text)));
  }
}
