/**
 * A PostgreSQL that needs no setup: unpacked from the class path, listening on loopback, ended with
 * its host process. Start with {@code EmbeddedPostgres}. Several processes on one machine can share
 * a data directory; one of them hosts the server.
 */
package io.tokenvault.adapters.jdbi.embedded;
