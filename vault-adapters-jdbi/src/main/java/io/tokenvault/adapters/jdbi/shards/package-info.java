/**
 * Tenants over several databases: implements the driven ports by choosing the database of the
 * tenant. Knows of no SQL; what it needs of a database is {@link
 * io.tokenvault.adapters.jdbi.stores.VaultStores}.
 */
package io.tokenvault.adapters.jdbi.shards;
