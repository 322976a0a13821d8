package io.tokenvault.adapters.jdbi;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.ApplicationSettings;
import io.tokenvault.domain.permission.ApplicationType;
import io.tokenvault.domain.permission.Permission;
import io.tokenvault.domain.proxy.ContainerBinding;
import io.tokenvault.domain.proxy.HostPattern;
import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.ProxySettings;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.Provenance;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.spi.KeyPurpose;
import io.tokenvault.ports.spi.Sealed;
import io.tokenvault.ports.spi.StoredProxy;
import io.tokenvault.ports.spi.StoredToken;
import io.tokenvault.ports.spi.WrappedKey;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * A row of any kind. All kinds are read in one shape, so that one statement can bring several; what
 * a kind does not have is null.
 *
 * @param id of the application, proxy or token
 * @param type of the application or token, the purpose of a tenant's key, a proxy's certificate
 * @param texts an application's permissions, a token's containers, a tenant's bindings, each with
 *     container and host
 * @param json an application's rules, a token's metadata
 * @param flag an application's right to make expiring ones, whether a proxy requires a key, whether
 *     a tenant's callers may name destinations
 * @param otherId who delegated an application, the application that a proxy names
 * @param sealed a proxy's key, a token's data, a tenant's wrapped key
 * @param second a proxy's configuration, the short-lived part of a token's data
 * @param third a token's expressions
 * @param millis a proxy's patience
 * @param secondFlag whether a tenant's unbound tokens may go where callers say
 */
record StoredRow(
    TenantId tenantId,
    String id,
    String type,
    String name,
    List<String> texts,
    String json,
    Boolean flag,
    String url,
    UUID otherId,
    Instant expiresAt,
    UUID createdBy,
    Instant createdAt,
    UUID modifiedBy,
    Instant modifiedAt,
    long version,
    Sealed sealed,
    Sealed second,
    Sealed third,
    String fingerprint,
    Integer millis,
    Boolean secondFlag) {

  static final String APPLICATION =
      """
      tenant_id, application_id::text AS id, type, name, permissions AS texts, rules::text AS json,
      can_create_expiring AS flag, NULL::text AS url, delegated_by AS other_id, expires_at,
      created_by, created_at, modified_by, modified_at, version,
      NULL::bytea AS sealed, NULL::integer AS sealed_version,
      NULL::bytea AS second, NULL::integer AS second_version,
      NULL::bytea AS third, NULL::integer AS third_version, NULL::text AS fingerprint,
      NULL::integer AS millis, NULL::boolean AS second_flag
      """;

  static final String PROXY =
      """
      tenant_id, proxy_id::text AS id, client_certificate AS type, name, NULL::text[] AS texts,
      NULL::text AS json, require_auth AS flag, destination_url AS url,
      application_id AS other_id, NULL::timestamptz AS expires_at,
      created_by, created_at, modified_by, modified_at, version,
      key AS sealed, key_version AS sealed_version,
      configuration AS second, configuration_key_version AS second_version,
      NULL::bytea AS third, NULL::integer AS third_version, NULL::text AS fingerprint,
      timeout_ms AS millis, NULL::boolean AS second_flag
      """;

  /** A short-lived part whose time has come is not read, whether it is still there or not. */
  static final String TOKEN =
      token(
          "data",
          "CASE WHEN short_lived_until > clock_timestamp() THEN short_lived END",
          "expressions");

  static final String TOKEN_WITHOUT_DATA = token("NULL::bytea", "NULL::bytea", "NULL::bytea");

  static final String NOTHING =
      """
      NULL::uuid AS tenant_id, NULL::text AS id, NULL::text AS type, NULL::text AS name,
      NULL::text[] AS texts, NULL::text AS json, NULL::boolean AS flag, NULL::text AS url,
      NULL::uuid AS other_id, NULL::timestamptz AS expires_at, NULL::uuid AS created_by,
      NULL::timestamptz AS created_at, NULL::uuid AS modified_by,
      NULL::timestamptz AS modified_at, NULL::bigint AS version,
      NULL::bytea AS sealed, NULL::integer AS sealed_version,
      NULL::bytea AS second, NULL::integer AS second_version,
      NULL::bytea AS third, NULL::integer AS third_version, NULL::text AS fingerprint,
      NULL::integer AS millis, NULL::boolean AS second_flag
      """;

  static final String TENANT_KEY =
      """
      tenant_id, NULL::text AS id, purpose AS type, NULL::text AS name, NULL::text[] AS texts,
      NULL::text AS json, NULL::boolean AS flag, NULL::text AS url, NULL::uuid AS other_id,
      NULL::timestamptz AS expires_at, NULL::uuid AS created_by, created_at,
      NULL::uuid AS modified_by, NULL::timestamptz AS modified_at, NULL::bigint AS version,
      wrapped AS sealed, version AS sealed_version,
      NULL::bytea AS second, NULL::integer AS second_version,
      NULL::bytea AS third, NULL::integer AS third_version, NULL::text AS fingerprint,
      NULL::integer AS millis, NULL::boolean AS second_flag
      """;

  static final String EGRESS =
      """
      tenant_id, NULL::text AS id, NULL::text AS type, NULL::text AS name,
      ARRAY (
        SELECT container || ' ' || host FROM container_binding
        WHERE container_binding.tenant_id = tenant.tenant_id) AS texts,
      NULL::text AS json, url_header AS flag, NULL::text AS url, NULL::uuid AS other_id,
      NULL::timestamptz AS expires_at, NULL::uuid AS created_by, created_at,
      NULL::uuid AS modified_by, NULL::timestamptz AS modified_at, egress_version AS version,
      NULL::bytea AS sealed, NULL::integer AS sealed_version,
      NULL::bytea AS second, NULL::integer AS second_version,
      NULL::bytea AS third, NULL::integer AS third_version, NULL::text AS fingerprint,
      NULL::integer AS millis, unbound_by_url AS second_flag
      """;

  private static String token(String data, String shortLived, String expressions) {
    return """
    tenant_id, token_id AS id, type, NULL::text AS name, containers AS texts,
    metadata::text AS json, NULL::boolean AS flag, NULL::text AS url, NULL::uuid AS other_id,
    expires_at, created_by, created_at, modified_by, modified_at, version,
    %s AS sealed, key_version AS sealed_version,
    %s AS second, short_lived_key_version AS second_version,
    %s AS third, expressions_key_version AS third_version, fingerprint,
    NULL::integer AS millis, NULL::boolean AS second_flag
    """
        .formatted(data, shortLived, expressions);
  }

  static StoredRow read(ResultSet row, StatementContext context) throws SQLException {
    return new StoredRow(
        tenantId(row.getObject("tenant_id", UUID.class)),
        row.getString("id"),
        row.getString("type"),
        row.getString("name"),
        texts(row.getArray("texts")),
        row.getString("json"),
        row.getObject("flag", Boolean.class),
        row.getString("url"),
        row.getObject("other_id", UUID.class),
        time(row, "expires_at"),
        row.getObject("created_by", UUID.class),
        time(row, "created_at"),
        row.getObject("modified_by", UUID.class),
        time(row, "modified_at"),
        row.getLong("version"),
        sealed(row, "sealed", "sealed_version"),
        sealed(row, "second", "second_version"),
        sealed(row, "third", "third_version"),
        row.getString("fingerprint"),
        row.getObject("millis", Integer.class),
        row.getObject("second_flag", Boolean.class));
  }

  private static TenantId tenantId(UUID value) {
    return value == null ? null : new TenantId(value);
  }

  private static List<String> texts(Array array) throws SQLException {
    return array == null ? List.of() : Arrays.asList((String[]) array.getArray());
  }

  private static Sealed sealed(ResultSet row, String column, String version) throws SQLException {
    byte[] bytes = row.getBytes(column);
    return bytes == null ? null : new Sealed(row.getInt(version), bytes);
  }

  static Instant time(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  Application toApplication() {
    return new Application(
        new ApplicationId(UUID.fromString(id)),
        tenantId,
        ApplicationType.of(type).orElseThrow(),
        new ApplicationSettings(new ResourceName(name), policy(), Optional.ofNullable(flag)),
        Optional.ofNullable(expiresAt),
        Optional.ofNullable(otherId).map(ApplicationId::new),
        provenance(),
        version);
  }

  private AccessPolicy policy() {
    return new AccessPolicy(
        texts.stream().map(each -> Permission.of(each).orElseThrow()).toList(),
        StoredJson.toRules(json));
  }

  StoredProxy toProxy() {
    ProxySettings settings =
        new ProxySettings(
            new ResourceName(name),
            url,
            flag,
            Optional.ofNullable(otherId).map(ApplicationId::new),
            Optional.ofNullable(millis).map(Duration::ofMillis),
            Optional.ofNullable(type));
    Proxy proxy =
        new Proxy(new ProxyId(UUID.fromString(id)), tenantId, settings, provenance(), version);
    return new StoredProxy(proxy, sealed, second);
  }

  StoredToken toStoredToken() {
    return new StoredToken(
        toToken(), sealed, Optional.ofNullable(second), Optional.ofNullable(third));
  }

  Token toToken() {
    TokenSettings settings =
        new TokenSettings(
            texts.stream().map(Container::new).toList(),
            StoredJson.toTexts(json),
            Optional.ofNullable(expiresAt));
    return new Token(
        new TokenId(id),
        tenantId,
        TokenType.of(type).orElseThrow(),
        settings,
        Optional.ofNullable(fingerprint),
        provenance(),
        version);
  }

  WrappedKey toKey() {
    return new WrappedKey(
        KeyPurpose.valueOf(type.toUpperCase(Locale.ROOT)),
        sealed.keyVersion(),
        sealed.ciphertext());
  }

  TenantEgress toEgress() {
    return new TenantEgress(
        version, flag, secondFlag, texts.stream().map(StoredRow::toBinding).toList());
  }

  private static ContainerBinding toBinding(String text) {
    int end = text.indexOf(' ');
    return new ContainerBinding(
        new Container(text.substring(0, end)), new HostPattern(text.substring(end + 1)));
  }

  private Provenance provenance() {
    return new Provenance(
        Optional.ofNullable(createdBy),
        createdAt,
        Optional.ofNullable(modifiedBy),
        Optional.ofNullable(modifiedAt));
  }
}
