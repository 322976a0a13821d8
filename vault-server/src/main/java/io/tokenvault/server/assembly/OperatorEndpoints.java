package io.tokenvault.server.assembly;

import io.tokenvault.adapters.http.operations.Operations;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.metrics.VaultMetrics;
import io.tokenvault.server.openapi.ApiDocument;

/** What the server gives to those who operate it. */
final class OperatorEndpoints {

  private OperatorEndpoints() {}

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
