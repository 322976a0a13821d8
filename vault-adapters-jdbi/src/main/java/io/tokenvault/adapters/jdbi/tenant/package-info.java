/**
 * Tenants, their wrapped data keys and their egress policies. Start with {@code JdbiTenants};
 * {@code JdbiKeys} stores the keys.
 *
 * <p>Destroying a tenant's keys makes its encrypted data in this database permanently unreadable.
 * Writers of encrypted data therefore lock the tenant's row by {@code JdbiKeys.requireKeys} first.
 */
package io.tokenvault.adapters.jdbi.tenant;
