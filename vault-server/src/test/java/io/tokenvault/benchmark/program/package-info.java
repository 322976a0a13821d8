/**
 * The programs that the benchmark runs: the vault, nginx, a bare forwarder, a destination, wrk, and
 * pgbench. Read {@link io.tokenvault.server.environment.RunningProgram} first; {@link
 * io.tokenvault.benchmark.program.Workspace} stops all of them.
 */
package io.tokenvault.benchmark.program;
