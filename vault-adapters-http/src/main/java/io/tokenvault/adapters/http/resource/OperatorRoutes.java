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

/** What the admin listener shows without a key: figures, and pages that hold no data. */
public final class OperatorRoutes {

  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";
  private static final String SWAGGER_UI = "org.webjars/swagger-ui";

  private final Supplier<String> metrics;
  private final Pages docs = new Pages("/docs/");
  private final Pages swaggerUi = new Pages(swaggerUi());

  /** One page with what belongs to it, put here by whoever builds it; without it 404. */
  private final Pages console = new Pages("/console/");

  public OperatorRoutes(Supplier<String> metrics) {
    this.metrics = metrics;
  }

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

  /** Its folder is named by its version. */
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

  /** The files of a folder of the class path, for browsers, which are to load nothing else. */
  private static final class Pages {

    private static final String INDEX = "index.html";

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
     * @param folder with a slash at both ends
     */
    Pages(String folder) {
      this.folder = folder;
    }

    boolean exist() {
      return Pages.class.getResource(folder + INDEX) != null;
    }

    /**
     * @param path under the folder, decoded; empty for its page
     * @throws RefusedException if there is no such file
     */
    ApiResponse file(String path) {
      return find(path).orElseThrow(UnknownRoutes::unknownPath);
    }

    /** The edge has refused dot segments; empty ones name nothing. */
    Optional<ApiResponse> find(String path) {
      if (path.isEmpty()) {
        return find(INDEX);
      }
      String type = TYPES.get(path.substring(path.lastIndexOf('.') + 1));
      if (type == null || path.startsWith("/") || path.contains("//")) {
        return Optional.empty();
      }
      try (InputStream file = Pages.class.getResourceAsStream(folder + path)) {
        return file == null ? Optional.empty() : Optional.of(answer(type, file.readAllBytes()));
      } catch (IOException broken) {
        throw new UncheckedIOException(broken);
      }
    }

    private static ApiResponse answer(String type, byte[] content) {
      ApiResponse answer = ApiResponse.of(200, type, content);
      for (Map.Entry<String, String> header : HEADERS.entrySet()) {
        answer = answer.with(header.getKey(), header.getValue());
      }
      return answer;
    }
  }
}
