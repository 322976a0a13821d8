/**
 * The public view of the adapter: its settings, its operations as a whole and its failures. A host
 * application sees these types and {@code JdbiStores} only.
 */
package io.tokenvault.adapters.jdbi.stores;
