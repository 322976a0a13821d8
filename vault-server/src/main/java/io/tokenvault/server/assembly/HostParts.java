package io.tokenvault.server.assembly;

import io.micrometer.core.instrument.MeterRegistry;
import io.tokenvault.ports.VaultStores;
import io.tokenvault.ports.audit.FeedSink;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Parts of a vault that a host application passes in code, in addition to settings. {@link #NONE}
 * is a vault without a host application.
 *
 * @param sources connections to the database; empty: those of the settings
 * @param stores stores in place of a database
 * @param listens whether there is an HTTP listener
 * @param runsTransforms whether transforms of proxies run
 * @param registry also receives the metrics of the vault
 * @param feeds receive the entries of the audit log
 */
public record HostParts(
    Optional<DataSources> sources,
    Optional<VaultStores> stores,
    boolean listens,
    boolean runsTransforms,
    Optional<MeterRegistry> registry,
    List<AuditFeed> feeds) {

  public static final HostParts NONE =
      new HostParts(Optional.empty(), Optional.empty(), true, true, Optional.empty(), List.of());

  public HostParts {
    Objects.requireNonNull(sources, "sources");
    Objects.requireNonNull(stores, "stores");
    Objects.requireNonNull(registry, "registry");
    feeds = List.copyOf(feeds);
  }

  /**
   * Connections of the host application to the vault's database.
   *
   * @param requests connects as the role that serves requests
   * @param owner connects as the role that owns the tables
   */
  public record DataSources(DataSource requests, DataSource owner) {
    public DataSources {
      Objects.requireNonNull(requests, "requests");
      Objects.requireNonNull(owner, "owner");
    }
  }

  /**
   * A receiver of the audit log.
   *
   * @param name names the stored position, and the task for which a node is elected
   */
  public record AuditFeed(String name, FeedSink sink) {
    public AuditFeed {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(sink, "sink");
    }
  }
}
