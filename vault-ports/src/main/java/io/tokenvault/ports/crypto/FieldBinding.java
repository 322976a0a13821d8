package io.tokenvault.ports.crypto;

import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import java.util.Objects;
import java.util.UUID;

/**
 * The tenant, record and field that an encrypted value belongs to. They are bound into the
 * ciphertext as associated data, so that a value that was moved to another place does not decrypt.
 *
 * @param kind the kind of record, for example {@code token}
 * @param recordId the record's id within the tenant
 * @param field the field's name
 */
public record FieldBinding(TenantId tenantId, String kind, String recordId, String field) {

  public FieldBinding {
    Objects.requireNonNull(tenantId, "tenantId");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(recordId, "recordId");
    Objects.requireNonNull(field, "field");
  }

  public static FieldBinding tokenData(TenantId tenantId, TokenId id) {
    return new FieldBinding(tenantId, "token", id.value(), "data");
  }

  /** Returns the binding for the part of the data that expires before the token does. */
  public static FieldBinding tokenShortLivedData(TenantId tenantId, TokenId id) {
    return new FieldBinding(tenantId, "token", id.value(), "short_lived_data");
  }

  public static FieldBinding tokenExpressions(TenantId tenantId, TokenId id) {
    return new FieldBinding(tenantId, "token", id.value(), "expressions");
  }

  public static FieldBinding proxyKey(TenantId tenantId, ProxyId id) {
    return new FieldBinding(tenantId, "proxy", id.toString(), "key");
  }

  public static FieldBinding proxyConfiguration(TenantId tenantId, ProxyId id) {
    return new FieldBinding(tenantId, "proxy", id.toString(), "configuration");
  }

  public static FieldBinding proxyTransform(TenantId tenantId, ProxyId id, TransformKind kind) {
    return new FieldBinding(tenantId, "proxy", id.toString(), kind.property());
  }

  /**
   * Returns the binding for a compiled operator module.
   *
   * @param owner stands for the operator
   */
  public static FieldBinding compiledModule(TenantId owner, String contentHash) {
    return new FieldBinding(owner, "compiled_module", contentHash, "program");
  }

  /** Returns the binding for the recorded response to an idempotent request. */
  public static FieldBinding response(TenantId tenantId, UUID requestId) {
    return new FieldBinding(tenantId, "keyed_request", requestId.toString(), "answer");
  }
}
