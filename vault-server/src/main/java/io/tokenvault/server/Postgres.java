package io.tokenvault.server;

import io.tokenvault.server.assembly.HostParts.DataSources;
import io.tokenvault.server.config.Setting;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/**
 * A PostgreSQL database of the vault alone, with a role for requests and a role that owns the
 * tables.
 */
public final class Postgres {

  static final Set<Setting> SETTINGS =
      Set.of(
          Setting.DATABASE_URL,
          Setting.DATABASE_USER,
          Setting.DATABASE_PASSWORD,
          Setting.DATABASE_OWNER_USER,
          Setting.DATABASE_OWNER_PASSWORD);

  private final Optional<DataSources> sources;
  private final Map<Setting, String> settings;

  private Postgres(Optional<DataSources> sources, Map<Setting, String> settings) {
    this.sources = sources;
    this.settings = Map.copyOf(settings);
  }

  /**
   * Returns a database that the vault connects to by itself.
   *
   * @param url a {@code jdbc:postgresql:} URL without credentials
   * @param user the role that serves requests
   */
  public static Postgres url(String url, String user, String password) {
    return new Postgres(
        Optional.empty(),
        Map.of(
            Setting.DATABASE_URL,
            url,
            Setting.DATABASE_USER,
            user,
            Setting.DATABASE_PASSWORD,
            password));
  }

  /**
   * Returns this database with another role that owns the tables and migrates them. Without it, the
   * role of requests does, and could also remove the protection of the audit log.
   */
  public Postgres owner(String user, String password) {
    Map<Setting, String> all = new EnumMap<>(Setting.class);
    all.putAll(settings);
    all.put(Setting.DATABASE_OWNER_USER, user);
    all.put(Setting.DATABASE_OWNER_PASSWORD, password);
    return new Postgres(sources, all);
  }

  /**
   * Returns a database that the vault reaches through sources of the host application.
   *
   * <p>The vault keeps its connections in pools and configures their sessions, so do not share the
   * sources. A source that is itself a pool needs two connections more than {@code
   * VAULT_DATABASE_POOL_SIZE}, which is 10 by default. The vault does not close the sources.
   *
   * @param requests connects as the role that serves requests
   * @param owner connects as the role that owns the tables
   */
  public static Postgres using(DataSource requests, DataSource owner) {
    return new Postgres(Optional.of(new DataSources(requests, owner)), Map.of());
  }

  Optional<DataSources> sources() {
    return sources;
  }

  Map<Setting, String> settings() {
    return settings;
  }

  /** Returns a constant, since the settings contain passwords. */
  @Override
  public String toString() {
    return "Postgres";
  }
}
