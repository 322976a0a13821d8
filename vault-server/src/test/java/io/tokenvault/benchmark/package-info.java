/**
 * The benchmark: the vault beside nginx and a bare forwarder, and beside PostgreSQL's own pgbench.
 * It is no test; the Maven profile {@code bench} runs it, and docs/performance.md says how.
 */
package io.tokenvault.benchmark;
