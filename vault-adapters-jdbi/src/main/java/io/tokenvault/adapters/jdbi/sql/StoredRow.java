package io.tokenvault.adapters.jdbi.sql;

import io.tokenvault.domain.access.AccessPolicy;
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
 * A row of any kind of record, read from {@link StoredColumns}. Properties that a kind lacks are
 * null.
 *
 * <p>The caller knows the kind that it selected and calls the matching conversion, such as {@link
 * #toToken}; the others fail.
 *
 * @param tenantId the tenant that owns the record
 * @param id of the application, proxy or token
 * @param type the type of an application or token, the purpose of a tenant's key, a proxy's client
 *     certificate
 * @param name of the application or proxy
 * @param texts an application's permissions, a token's containers, the compilers of a proxy's
 *     request and response transforms, a tenant's bindings, each with container and host
 * @param json an application's access rules, a token's metadata
 * @param flag whether an application may create expiring ones, whether a proxy requires an API key,
 *     whether a tenant's callers may name destinations
 * @param url a proxy's destination
 * @param otherId the application that delegated an application, the application that a proxy uses
 * @param expiresAt the end of an application or token
 * @param createdBy the application that created the record
 * @param createdAt the time of the creation
 * @param modifiedBy the application that changed the record last
 * @param modifiedAt the time of the last change
 * @param version the version of the record or of the tenant's egress policy
 * @param sealed a proxy's encrypted key, a token's encrypted data, a tenant's wrapped key
 * @param second a proxy's encrypted configuration, the encrypted short-lived part of a token's data
 * @param third a token's encrypted expressions, a proxy's encrypted request transform
 * @param fourth a proxy's encrypted response transform
 * @param fingerprint a token's fingerprint
 * @param millis a proxy's timeout in milliseconds
 * @param secondFlag whether a tenant's tokens in containers without a binding may be sent to
 *     destinations that callers name
 */
public record StoredRow(
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
    EncryptedValue sealed,
    EncryptedValue second,
    EncryptedValue third,
    EncryptedValue fourth,
    String fingerprint,
    Integer millis,
    Boolean secondFlag) {

  /** Reads the current row of a result; its columns are those of {@link StoredColumns}. */
  public static StoredRow read(ResultSet row, StatementContext context) throws SQLException {
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
        sealed(row, "fourth", "fourth_version"),
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

  /** Reads an encrypted value and the version of its key; null if there is none. */
  private static EncryptedValue sealed(ResultSet row, String column, String version)
      throws SQLException {
    byte[] bytes = row.getBytes(column);
    return bytes == null ? null : new EncryptedValue(row.getInt(version), bytes);
  }

  /** Reads a {@code timestamptz}; null if there is none. */
  public static Instant time(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  /** Converts the row of an application. */
  public Application toApplication() {
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

  /** Converts the row of a proxy, whose key, configuration and transforms stay encrypted. */
  public StoredProxy toProxy() {
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
    return new StoredProxy(proxy, sealed, second, transforms());
  }

  /** Returns the encrypted transforms that are present, each with the compiler that built it. */
  private Map<TransformKind, EncryptedTransform> transforms() {
    Map<TransformKind, EncryptedTransform> transforms = new EnumMap<>(TransformKind.class);
    if (third != null) {
      transforms.put(TransformKind.REQUEST, new EncryptedTransform(third, texts.get(0)));
    }
    if (fourth != null) {
      transforms.put(TransformKind.RESPONSE, new EncryptedTransform(fourth, texts.get(1)));
    }
    return transforms;
  }

  /** Converts the row of a token with its data, which stays encrypted. */
  public StoredToken toStoredToken() {
    return new StoredToken(
        toToken(), sealed, Optional.ofNullable(second), Optional.ofNullable(third));
  }

  /** Converts the row of a token without its data. */
  public Token toToken() {
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

  /** Converts the row of a tenant's wrapped key. */
  public WrappedKey toKey() {
    return new WrappedKey(
        KeyPurpose.valueOf(type.toUpperCase(Locale.ROOT)),
        sealed.keyVersion(),
        sealed.ciphertext());
  }

  /** Converts the row of a tenant's egress policy. */
  public TenantEgress toEgress() {
    return new TenantEgress(
        version, flag, secondFlag, texts.stream().map(StoredRow::toBinding).toList());
  }

  /** Parses a binding: container, space, host pattern. A container path has no space. */
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
