package io.tokenvault.domain.tenant;

import java.time.Instant;

/** An isolated owner of applications, tokens, proxies and audit entries. */
public record Tenant(TenantId id, ResourceName name, Instant createdAt) {}
