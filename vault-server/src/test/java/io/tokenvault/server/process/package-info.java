/**
 * The program as its operator sees it: as a process, by its commands, exit codes, streams, files
 * and signals. {@link io.tokenvault.server.process.VaultProcess} is where to start reading.
 */
package io.tokenvault.server.process;
