package example.host;

import io.micrometer.core.instrument.MeterRegistry;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.audit.FeedEntry;
import io.tokenvault.ports.audit.FeedSink;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.token.TokenView;
import io.tokenvault.server.Http;
import io.tokenvault.server.KeysetSource;
import io.tokenvault.server.Postgres;
import io.tokenvault.server.Transforms;
import io.tokenvault.server.Vault;
import java.io.PrintStream;
import java.nio.file.Path;
import javax.sql.DataSource;

/** Reads a token in a vault with a database, HTTP, metrics and a feed of this application. */
public final class AllParts {

  private AllParts() {}

  /**
   * Starts a vault, reads a token, and stops the vault.
   *
   * @param requests connects as the role that serves requests
   * @param owner connects as the role that owns the tables
   */
  public static TokenView read(
      DataSource requests,
      DataSource owner,
      MeterRegistry meterRegistry,
      FeedSink sink,
      String apiKey,
      TokenId id) {
    try (Vault vault =
        Vault.builder()
            .database(Postgres.using(requests, owner))
            .keyset(KeysetSource.file(Path.of("/etc/vault/keyset.json")))
            .metrics(meterRegistry)
            .http(Http.on("127.0.0.1", 8080))
            .transforms(Transforms.OFF)
            .auditFeed("kafka", sink)
            .start()) {
      Caller caller = vault.authenticate(apiKey);
      TokenView token = vault.tokens().read(caller, id);
      return token;
    }
  }

  /** Returns a sink that prints each entry of the audit log. */
  public static FeedSink printing(PrintStream out) {
    FeedSink sink =
        entries -> {
          for (FeedEntry entry : entries) {
            out.println(entry.position() + " " + entry.entry().content().message());
          }
        };
    return sink;
  }
}
