/**
 * The programs that the benchmark starts, loads and measures: the vault, nginx, a bare forwarder, a
 * destination, wrk and pgbench. Start with {@link io.tokenvault.server.place.RunningProgram};
 * {@link io.tokenvault.benchmark.program.Workspace} stops and removes all of them.
 */
package io.tokenvault.benchmark.program;
