package io.tokenvault.server.assembly;

import io.tokenvault.adapters.http.exchange.Operations;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.metrics.VaultMetrics;
import io.tokenvault.server.openapi.ApiDocument;

/** Collects the endpoints of the admin listener: API description, metrics and request tracing. */
final class OperatorEndpoints {

  private OperatorEndpoints() {}

  /**
   * Returns the endpoints, and registers the free space of the directories that the vault writes
   * to.
   */
  static Operations of(Configuration configuration, Backend backend, VaultMetrics metrics) {
    if (backend.isEmbedded()) {
      metrics.disk("database", configuration.dataDirectory());
    }
    configuration
        .checkpoints()
        .file()
        .ifPresent(file -> metrics.disk("checkpoints", file.getParent()));
    ApiDocument document = new ApiDocument(configuration.web().headers());
    return new Operations(
        document::json,
        metrics::scrape,
        metrics.requests(),
        configuration.tracing().toDestinations());
  }
}
