package io.tokenvault.domain.tenant;

import java.time.Instant;

/** An owner of applications, tokens, proxies and log entries; nothing is shared between two. */
public record Tenant(TenantId id, ResourceName name, Instant createdAt) {}
