/**
 * The public view of the adapter: its settings, its operations on a whole database and its
 * exceptions. A host application uses only these types and {@code JdbiStores}.
 *
 * <p>Read {@code DatabaseSettings} first. No type here holds a connection, and no message contains
 * a password or stored data.
 */
package io.tokenvault.adapters.jdbi.stores;
