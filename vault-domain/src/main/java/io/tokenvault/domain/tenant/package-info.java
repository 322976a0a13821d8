/** Tenants, which own everything else, and who did what when. Start with {@code TenantId}. */
package io.tokenvault.domain.tenant;
