package io.tokenvault.ports.store.model;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.tenant.TenantId;

/**
 * An application that acts without its key, because someone with permission to do so named it, for
 * example the manager of a proxy.
 */
public record ActingApplication(TenantId tenantId, ApplicationId id) {}
