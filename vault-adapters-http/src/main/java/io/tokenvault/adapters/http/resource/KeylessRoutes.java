package io.tokenvault.adapters.http.resource;

import io.tokenvault.adapters.http.exchange.Operations;
import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.adapters.http.response.JsonRenderer;
import io.tokenvault.adapters.http.response.JsonRenderer.ObjectWriter;
import io.tokenvault.adapters.http.response.RejectedRequestException;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.runtime.TransformRuntime.ModuleStatus;
import io.tokenvault.ports.store.Readiness;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.BooleanSupplier;

/**
 * The routes that need no API key: health checks and the OpenAPI description, and on the admin
 * listener metrics, the documentation, and an optional console. None of them shows data of tenants.
 *
 * <p>{@code /healthz} reports that the process is alive, and {@code /readyz} whether it should
 * receive requests.
 */
public final class KeylessRoutes {

  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";
  private static final String SWAGGER_UI = "org.webjars/swagger-ui";

  private final Readiness readiness;
  private final BooleanSupplier draining;
  private final Operations operations;
  private final JsonRenderer renderer;

  /**
   * Creates the routes.
   *
   * @param readiness reports whether the database is ready
   * @param draining whether the server drains; it is not ready then
   * @param operations supplies the OpenAPI description and the metrics
   */
  public KeylessRoutes(
      Readiness readiness, BooleanSupplier draining, Operations operations, JsonRenderer renderer) {
    this.readiness = readiness;
    this.draining = draining;
    this.operations = operations;
    this.renderer = renderer;
  }

  public void addTo(Router router) {
    router
        .open("/healthz", () -> status("alive"))
        .open("/readyz", this::ready)
        .open("/openapi.json", () -> ApiResponse.ok(operations.openApi().get()));
  }

  /** Adds the routes that only the admin listener has. */
  public void addAdminTo(Router router) {
    Pages docs = new Pages("docs/");
    Pages console = new Pages("console/");
    router.open("/metrics", this::metrics);
    // A build may add Swagger UI and the console to the class path. Without them the paths are
    // unknown.
    swaggerUi()
        .ifPresent(
            ui -> router.pages("/docs", path -> docs.find(path).orElseGet(() -> ui.file(path))));
    if (console.exist()) {
      router.pages("/console", console::file);
    }
  }

  /**
   * Returns status 200, or fails with status 503 while the server drains or the database is not
   * ready.
   */
  private ApiResponse ready() {
    if (draining.getAsBoolean()) {
      throw new RejectedRequestException(
          RejectedRequestException.Cause.STOPPING, "The vault is stopping.");
    }
    if (!readiness.isReady()) {
      throw new RefusedException(
          FailureCause.STORE_UNAVAILABLE, "The database is not ready; try again.");
    }
    return operations
        .modules()
        .get()
        .map(modules -> ApiResponse.ok(renderer.one(modules, KeylessRoutes::ready)))
        .orElseGet(() -> status("ready"));
  }

  private static void ready(ModuleStatus modules, ObjectWriter json) {
    json.put("status", "ready")
        .object(
            "modules",
            state ->
                state
                    .put("complete", modules.complete())
                    .put("compiled", modules.compiled())
                    .put("failed", modules.failed()));
  }

  private ApiResponse status(String status) {
    return ApiResponse.ok(renderer.one(status, (text, json) -> json.put("status", text)));
  }

  private ApiResponse metrics() {
    return ApiResponse.of(
        200, METRICS, operations.metrics().get().getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the pages of Swagger UI if it is on the class path; their folder has its version. */
  private static Optional<Pages> swaggerUi() {
    Properties library = new Properties();
    try (InputStream file =
        Pages.LOADER.getResourceAsStream("META-INF/maven/" + SWAGGER_UI + "/pom.properties")) {
      if (file == null) {
        return Optional.empty();
      }
      library.load(file);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    return Optional.of(
        new Pages("META-INF/resources/webjars/swagger-ui/" + library.getProperty("version") + "/"));
  }

  /**
   * The static pages of a folder on the class path. Their content security policy allows browsers
   * to load resources from this listener only.
   */
  private static final class Pages {

    private static final String INDEX = "index.html";

    /** Finds files in all modules, unlike a class, which finds those of its module. */
    private static final ClassLoader LOADER = Pages.class.getClassLoader();

    /** The content types by file extension; files with other extensions are not served. */
    private static final Map<String, String> TYPES =
        Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "json", "application/json",
            "svg", "image/svg+xml",
            "png", "image/png",
            "ico", "image/x-icon",
            "woff2", "font/woff2",
            "txt", "text/plain; charset=utf-8");

    /** Restricts what browsers may load, embed and disclose. */
    private static final Map<String, String> HEADERS =
        Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                + " font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
                + " frame-ancestors 'none'",
            "Referrer-Policy",
            "no-referrer",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cross-Origin-Resource-Policy",
            "same-origin");

    private final String folder;

    /**
     * Creates the pages of a folder.
     *
     * @param folder a path on the class path that ends with a slash
     */
    Pages(String folder) {
      this.folder = folder;
    }

    /** Returns whether the folder has an index page. */
    boolean exist() {
      return LOADER.getResource(folder + INDEX) != null;
    }

    /**
     * Returns the response for a file.
     *
     * @param path the decoded path below the folder; empty for its index page
     * @throws RefusedException if there is no such file
     */
    ApiResponse file(String path) {
      return find(path).orElseThrow(Router::unknownPath);
    }

    /**
     * Returns the response for a file, or empty if there is none. Dot segments have been rejected
     * before; empty segments match nothing.
     */
    Optional<ApiResponse> find(String path) {
      if (path.isEmpty()) {
        return find(INDEX);
      }
      String type = TYPES.get(path.substring(path.lastIndexOf('.') + 1));
      if (type == null || path.startsWith("/") || path.contains("//")) {
        return Optional.empty();
      }
      try (InputStream file = LOADER.getResourceAsStream(folder + path)) {
        return file == null
            ? Optional.empty()
            : Optional.of(ApiResponse.of(200, type, file.readAllBytes()).with(HEADERS));
      } catch (IOException broken) {
        throw new UncheckedIOException(broken);
      }
    }
  }
}
