package io.tokenvault.adapters.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.function.Supplier;

/** What the admin listener shows without a key: figures, and pages that hold no data. */
final class OperatorPages {

  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";
  private static final String SWAGGER_UI = "org.webjars/swagger-ui";

  private final Supplier<String> metrics;
  private final Pages docs = new Pages("/docs/");
  private final Pages swaggerUi = new Pages(swaggerUi());

  /** One page with what belongs to it, put here by whoever builds it; without it 404. */
  private final Pages console = new Pages("/console/");

  OperatorPages(Supplier<String> metrics) {
    this.metrics = metrics;
  }

  void addTo(Router router) {
    router
        .open("/metrics", this::metrics)
        .pages("/docs", path -> docs.find(path).orElseGet(() -> swaggerUi.file(path)));
    if (console.exist()) {
      router.pages("/console", console::file);
    }
  }

  private Answer metrics() {
    return Answer.of(200, METRICS, metrics.get().getBytes(StandardCharsets.UTF_8));
  }

  /** Its folder is named by its version. */
  private static String swaggerUi() {
    Properties library = new Properties();
    try (InputStream file =
        OperatorPages.class.getResourceAsStream(
            "/META-INF/maven/" + SWAGGER_UI + "/pom.properties")) {
      library.load(file);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    return "/META-INF/resources/webjars/swagger-ui/" + library.getProperty("version") + "/";
  }
}
