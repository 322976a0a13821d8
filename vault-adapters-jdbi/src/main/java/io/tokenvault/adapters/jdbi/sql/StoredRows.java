package io.tokenvault.adapters.jdbi.sql;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.AccessRule;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.ApplicationSettings;
import io.tokenvault.domain.proxy.ContainerBinding;
import io.tokenvault.domain.proxy.HostPattern;
import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.ProxySettings;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.Provenance;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.WrappedKey;
import io.tokenvault.ports.store.model.EncryptedTransform;
import io.tokenvault.ports.store.model.StoredProxy;
import io.tokenvault.ports.store.model.StoredToken;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * Converts the current row of a result to a record. The columns are those that {@link
 * StoredColumns} defines for its kind; encrypted values stay encrypted.
 */
public final class StoredRows {

  private StoredRows() {}

  /** Converts the row of an application. */
  public static Application toApplication(ResultSet row, StatementContext context)
      throws SQLException {
    AccessPolicy policy =
        new AccessPolicy(
            texts(row).stream().map(each -> Permission.of(each).orElseThrow()).toList(),
            rules(row.getString("json")));
    return new Application(
        new ApplicationId(UUID.fromString(row.getString("id"))),
        tenantId(row),
        ApplicationType.of(row.getString("type")).orElseThrow(),
        new ApplicationSettings(
            new ResourceName(row.getString("name")), policy, optional(row, "flag", Boolean.class)),
        Optional.ofNullable(time(row, "expires_at")),
        optional(row, "other_id", UUID.class).map(ApplicationId::new),
        provenance(row),
        row.getLong("version"));
  }

  /** Returns access rules; most applications have none, and need no parser. */
  private static List<AccessRule> rules(String json) {
    return json.equals("[]") ? List.of() : StoredJson.toRules(json);
  }

  /** Converts the row of a proxy. */
  public static StoredProxy toProxy(ResultSet row, StatementContext context) throws SQLException {
    ProxySettings settings =
        new ProxySettings(
            new ResourceName(row.getString("name")),
            row.getString("url"),
            optional(row, "flag", Boolean.class).orElseThrow(),
            optional(row, "other_id", UUID.class).map(ApplicationId::new),
            optional(row, "millis", Integer.class).map(Duration::ofMillis),
            optional(row, "type", String.class));
    Proxy proxy =
        new Proxy(
            new ProxyId(UUID.fromString(row.getString("id"))),
            tenantId(row),
            settings,
            provenance(row),
            row.getLong("version"));
    return new StoredProxy(
        proxy,
        encrypted(row, "encrypted").orElseThrow(),
        encrypted(row, "encrypted_2").orElseThrow(),
        transforms(row));
  }

  /** Returns the encrypted transforms that are present, each with the compiler that built it. */
  private static Map<TransformKind, EncryptedTransform> transforms(ResultSet row)
      throws SQLException {
    List<String> compilers = texts(row);
    Map<TransformKind, EncryptedTransform> transforms = new EnumMap<>(TransformKind.class);
    encrypted(row, "encrypted_3")
        .map(each -> new EncryptedTransform(each, compilers.get(0)))
        .ifPresent(each -> transforms.put(TransformKind.REQUEST, each));
    encrypted(row, "encrypted_4")
        .map(each -> new EncryptedTransform(each, compilers.get(1)))
        .ifPresent(each -> transforms.put(TransformKind.RESPONSE, each));
    return transforms;
  }

  /** Converts the row of a token with its data. */
  public static StoredToken toStoredToken(ResultSet row, StatementContext context)
      throws SQLException {
    return new StoredToken(
        toToken(row, context),
        encrypted(row, "encrypted").orElseThrow(),
        encrypted(row, "encrypted_2"),
        encrypted(row, "encrypted_3"));
  }

  /** Converts the row of a token without its data. */
  public static Token toToken(ResultSet row, StatementContext context) throws SQLException {
    TokenSettings settings =
        new TokenSettings(
            texts(row).stream().map(Container::new).toList(),
            StoredJson.toTexts(row.getString("json")),
            Optional.ofNullable(time(row, "expires_at")));
    return new Token(
        new TokenId(row.getString("id")),
        tenantId(row),
        TokenType.of(row.getString("type")).orElseThrow(),
        settings,
        optional(row, "fingerprint", String.class),
        provenance(row),
        row.getLong("version"));
  }

  /** Converts the row of a tenant's wrapped key. */
  public static WrappedKey toKey(ResultSet row, StatementContext context) throws SQLException {
    return new WrappedKey(
        KeyPurpose.valueOf(row.getString("type").toUpperCase(Locale.ROOT)),
        row.getInt("encrypted_version"),
        row.getBytes("encrypted"));
  }

  /** Converts the row of a tenant's egress policy. */
  public static TenantEgress toEgress(ResultSet row, StatementContext context) throws SQLException {
    return new TenantEgress(
        row.getLong("version"),
        optional(row, "flag", Boolean.class).orElseThrow(),
        optional(row, "flag_2", Boolean.class).orElseThrow(),
        texts(row).stream().map(StoredRows::toBinding).toList());
  }

  /** Parses a binding: container, space, host pattern. A container path has no space. */
  private static ContainerBinding toBinding(String text) {
    int end = text.indexOf(' ');
    return new ContainerBinding(
        new Container(text.substring(0, end)), new HostPattern(text.substring(end + 1)));
  }

  /** Reads the id of the tenant that owns the record. */
  public static TenantId tenantId(ResultSet row) throws SQLException {
    return new TenantId(row.getObject("tenant_id", UUID.class));
  }

  /** Reads a {@code timestamptz}; null if there is none. */
  public static Instant time(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  private static <T> Optional<T> optional(ResultSet row, String column, Class<T> type)
      throws SQLException {
    return Optional.ofNullable(row.getObject(column, type));
  }

  private static List<String> texts(ResultSet row) throws SQLException {
    Array array = row.getArray("texts");
    return Arrays.asList((String[]) array.getArray());
  }

  /** Reads an encrypted value and the version of its key. */
  private static Optional<EncryptedValue> encrypted(ResultSet row, String column)
      throws SQLException {
    byte[] bytes = row.getBytes(column);
    return bytes == null
        ? Optional.empty()
        : Optional.of(new EncryptedValue(row.getInt(column + "_version"), bytes));
  }

  private static Provenance provenance(ResultSet row) throws SQLException {
    return new Provenance(
        optional(row, "created_by", UUID.class),
        time(row, "created_at"),
        optional(row, "modified_by", UUID.class),
        Optional.ofNullable(time(row, "modified_at")));
  }
}
