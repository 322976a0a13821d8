package io.tokenvault.adapters.http.resource;

import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.domain.failure.RefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Supplier;

/**
 * The routes of the admin listener that need no API key: metrics, the documentation, and an
 * optional console. None of them shows data of tenants.
 */
public final class OperatorRoutes {

  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";
  private static final String SWAGGER_UI = "org.webjars/swagger-ui";

  private final Supplier<String> metrics;
  private final Pages docs = new Pages("/docs/");
  private final Pages swaggerUi = new Pages(swaggerUi());

  /** The console, which a build may add to the class path. Without it the path is unknown. */
  private final Pages console = new Pages("/console/");

  /**
   * Creates the routes.
   *
   * @param metrics supplies the metrics in the text format of Prometheus
   */
  public OperatorRoutes(Supplier<String> metrics) {
    this.metrics = metrics;
  }

  /** Adds the routes to a router. */
  public void addTo(Router router) {
    router
        .open("/metrics", this::metrics)
        .pages("/docs", path -> docs.find(path).orElseGet(() -> swaggerUi.file(path)));
    if (console.exist()) {
      router.pages("/console", console::file);
    }
  }

  private ApiResponse metrics() {
    return ApiResponse.of(200, METRICS, metrics.get().getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the folder of Swagger UI on the class path; its name contains the version. */
  private static String swaggerUi() {
    Properties library = new Properties();
    try (InputStream file =
        OperatorRoutes.class.getResourceAsStream(
            "/META-INF/maven/" + SWAGGER_UI + "/pom.properties")) {
      library.load(file);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    return "/META-INF/resources/webjars/swagger-ui/" + library.getProperty("version") + "/";
  }

  /**
   * The static pages of a folder on the class path. Their content security policy allows browsers
   * to load resources from this listener only.
   */
  private static final class Pages {

    private static final String INDEX = "index.html";

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
     * @param folder an absolute path on the class path, with a slash at both ends
     */
    Pages(String folder) {
      this.folder = folder;
    }

    /** Returns whether the folder has an index page. */
    boolean exist() {
      return Pages.class.getResource(folder + INDEX) != null;
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
      try (InputStream file = Pages.class.getResourceAsStream(folder + path)) {
        return file == null ? Optional.empty() : Optional.of(response(type, file.readAllBytes()));
      } catch (IOException broken) {
        throw new UncheckedIOException(broken);
      }
    }

    private static ApiResponse response(String type, byte[] content) {
      ApiResponse response = ApiResponse.of(200, type, content);
      for (Map.Entry<String, String> header : HEADERS.entrySet()) {
        response = response.with(header.getKey(), header.getValue());
      }
      return response;
    }
  }
}
