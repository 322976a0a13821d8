/**
 * A PostgreSQL that the vault brings along. Begin with {@link
 * io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres}. {@code DataDirectory} knows all names in
 * the data directory, and {@code DirectoryLock} admits one hosting process to it. {@code Launcher}
 * decides as which user PostgreSQL's programs run and makes them end with this JVM, {@code
 * PostgresServer} starts the server and keeps it running.
 */
package io.tokenvault.adapters.jdbi.embedded;
