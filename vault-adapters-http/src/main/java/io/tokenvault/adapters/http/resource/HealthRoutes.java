package io.tokenvault.adapters.http.resource;

import java.util.function.BooleanSupplier;
import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.adapters.http.response.RejectedRequestException;
import io.tokenvault.adapters.http.response.JsonRenderer;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.store.Readiness;

/**
 * The health checks, which need no API key: {@code /healthz} reports that the process is alive, and
 * {@code /readyz} whether it should receive requests.
 */
public final class HealthRoutes {

  private final Readiness readiness;
  private final BooleanSupplier draining;
  private final JsonRenderer renderer;

  /**
   * Creates the routes.
   *
   * @param readiness reports whether the database is ready
   * @param draining whether the server drains; it is not ready then
   * @param renderer renders responses
   */
  public HealthRoutes(Readiness readiness, BooleanSupplier draining, JsonRenderer renderer) {
    this.readiness = readiness;
    this.draining = draining;
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
    if (draining.getAsBoolean()) {
      throw new RejectedRequestException(RejectedRequestException.Cause.STOPPING, "The vault is stopping.");
    }
    if (!readiness.isReady()) {
      throw new RefusedException(
          FailureCause.STORE_UNAVAILABLE, "The database is not ready; try again.");
    }
    return status("ready");
  }

  private ApiResponse status(String status) {
    return ApiResponse.ok(renderer.one(status, (text, json) -> json.put("status", text)));
  }
}
