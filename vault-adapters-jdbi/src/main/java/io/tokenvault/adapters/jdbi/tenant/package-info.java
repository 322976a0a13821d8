/** Tenants, their wrapped data keys and their egress policies. Start with {@code JdbiTenants}. */
package io.tokenvault.adapters.jdbi.tenant;
