/**
 * Tenants, their egress policies, their wrapped data keys, and the rotation of keys. Start with
 * {@code JdbiTenants}; {@code JdbiKeys} stores the keys, and {@code JdbiKeysetRegistry} proves
 * which master keys wrap them.
 *
 * <p>Destroying a tenant's keys makes its encrypted data in this database permanently unreadable.
 * Writers of encrypted data therefore lock the tenant's row by {@code JdbiKeys.requireKeys} first.
 */
package io.tokenvault.adapters.jdbi.tenant;
