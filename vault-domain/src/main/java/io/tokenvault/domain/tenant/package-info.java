/**
 * Tenants, which own all other resources, and the provenance of resources. Start with {@code
 * TenantId}.
 */
package io.tokenvault.domain.tenant;
